import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type {
  FastifyBaseLogger,
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import { count, MAX_HEAD_BYTES, MAX_HEADERS, size } from '../platform/bounds.ts';
import { HttpError, problems } from '../platform/errors.ts';
import { TagManagerFault } from '../tagmanager/faults.ts';

/** Turns whatever was thrown into the one form of answer: `{detail}`. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const problem = asProblem(error, request);
    if (problem.status >= 500) logFailure(request, problem, error);
    return send(reply, problem);
  });
}

/** A path so wrong that it reaches no route. */
export function answerWrongPaths(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  void send(reply, asProblem(error, request));
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Takes what nothing else serves, so that it says nothing about which paths there are. */
    catchAll?: boolean;
  }
}

/** A path that nothing serves, or one that takes other methods. */
export function answerUnknownPaths(app: FastifyInstance): void {
  const routes = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.catchAll) return;
    const pattern = url.replace(/(.)\/$/, '$1');
    const methods = routes.get(pattern) ?? new Set();
    routes.set(pattern, methods);
    for (const name of [method].flat()) methods.add(name);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = (request.url.split('?')[0] ?? '').replace(/(.)\/$/, '$1');
    const allowed = new Set<string>();
    for (const [pattern, methods] of routes) {
      if (!matches(pattern, path)) continue;
      for (const method of methods) if (method !== 'OPTIONS') allowed.add(method);
    }
    return send(
      reply,
      allowed.size > 0 && !allowed.has(request.method)
        ? problems.methodNotAllowed([...allowed].sort())
        : problems.notFound('This path'),
    );
  });
}

/** Node does not tell which of the two was exceeded. */
const HEAD_BOUND = `${size(MAX_HEAD_BYTES)} and ${count(MAX_HEADERS)} headers`;

/** What is not even HTTP is answered by hand; there is no request to answer. */
export function answerBrokenRequests(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? problems.tooLarge('The URL with all headers', HEAD_BOUND)
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? problems.tooSlow()
        : problems.badRequest('This is not an HTTP request that can be read');
  endRaw(socket, problem);
}

function endRaw(socket: Socket, problem: HttpError): void {
  const body = JSON.stringify(problem.body());
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}\r\n` +
      `content-type: application/json; charset=utf-8\r\naccess-control-allow-origin: *\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** What keeps a body from being read as text, which is always taken as UTF-8. */
export function unreadable({ headers }: FastifyRequest): HttpError | undefined {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') return problems.encodingUnknown();
  const isOther = OTHER_CHARSET.test(headers['content-type'] ?? '');
  return isOther ? problems.charsetUnknown() : undefined;
}

const OTHER_CHARSET = /;\s*charset\s*=(?!\s*"?utf-?8"?\s*(;|$))/i;

/** What Node would answer by itself, without words. */
export function answerOddRequests(server: Server, log: Pick<FastifyBaseLogger, 'error'>): void {
  // Who has sent a whole request and closed that half still waits for the answer.
  Object.assign(server, { httpAllowHalfOpen: true, maxHeadersCount: MAX_HEADERS });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    sendRaw(response, problems.expectationUnknown(), log, {});
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    endRaw(socket, problems.methodNotAllowed(['GET', 'POST']));
  });
}

export function send(reply: FastifyReply, problem: HttpError): FastifyReply {
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(problem.body()));
}

/** The same answer where there is no framework between. */
export function sendRaw(
  response: ServerResponse,
  error: unknown,
  log: Pick<FastifyBaseLogger, 'error'>,
  headers: Record<string, string>,
): void {
  const requestId = randomUUID();
  const problem = error instanceof HttpError ? error : problems.internal(requestId);
  if (problem !== error) log.error({ requestId, err: error }, 'A request failed');
  const body = JSON.stringify(problem.body());
  response.writeHead(problem.status, {
    ...headers,
    ...problem.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

function asProblem(error: unknown, request: FastifyRequest): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof TagManagerFault) return problems.tagManagerFault(error);
  const { code, statusCode, message } = error as Partial<FastifyError>;
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return problems.notJsonType();
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return problems.tooLarge('The body', size(request.routeOptions.bodyLimit));
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return problems.notJson('it is empty');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return problems.notJson('it cannot be parsed');
    case 'FST_ERR_BAD_URL':
      return problems.badRequest('The path has a wrong percent-encoding');
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return problems.badRequest(message ?? 'This request cannot be read');
  }
  return problems.internal(request.id);
}

function logFailure(request: FastifyRequest, problem: HttpError, error: unknown): void {
  const fields = { requestId: request.id, method: request.method, path: request.url.split('?')[0] };
  // Being full or closing is a state that is logged where it begins, not once a request.
  if (problem.status === 503) request.log.debug(fields, problem.message);
  else request.log.error({ ...fields, err: error }, 'A request failed');
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  const rest = wanted.at(-1) === '*';
  if (rest ? given.length < wanted.length : given.length !== wanted.length) return false;
  return wanted.every((part, i) => part === '*' || part.startsWith(':') || part === given[i]);
}
