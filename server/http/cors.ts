import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Events may come from pages of any site: who may send is judged by the key and its domains, and
 * an answer says nothing that a stranger could use.
 */
export function openToAllSites(
  _request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  reply.header('access-control-allow-origin', '*');
  done();
}

export function answerPreflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply
    .code(204)
    .header('access-control-allow-methods', 'POST, GET')
    .header('access-control-allow-headers', 'X-API-Key, Content-Type')
    .header('access-control-max-age', '7200');
  // Browsers ask this of a page on the public web that sends to a machine on the LAN.
  if (request.headers['access-control-request-private-network'] === 'true') {
    reply.header('access-control-allow-private-network', 'true');
  }
  return reply.send();
}
