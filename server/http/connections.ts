import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { BODY_BYTES_PER_SECOND, BODY_CHECK_MS, MAX_CONNECTIONS } from '../platform/bounds.ts';
import { problems } from '../platform/errors.ts';
import { createShares } from '../platform/shares.ts';
import { visitorKey } from './limits.ts';

interface Connection {
  request?: IncomingMessage;
  response?: ServerResponse;
  /** The request whose body was still coming at the last look, and what had come by then. */
  coming: IncomingMessage | undefined;
  read: number;
}

/**
 * Nobody keeps connections to themselves: each address has a share of them, and a body has to come
 * in. One look at all of them every few seconds costs less than a timer for each.
 */
export function guardConnections(
  server: Pick<Server, 'on'>,
  { most = MAX_CONNECTIONS, checkMs = BODY_CHECK_MS } = {},
) {
  const connections = new Map<Socket, Connection>();
  const places = createShares(most);
  const leastBytes = (BODY_BYTES_PER_SECOND * checkMs) / 1000;

  server.on('connection', (socket: Socket) => {
    const who = holderOf(socket.remoteAddress ?? '');
    if (!places.take(who, 1)) {
      socket.destroy();
      return;
    }
    connections.set(socket, { coming: undefined, read: 0 });
    socket.once('close', () => {
      connections.delete(socket);
      places.giveBack(who, 1);
    });
  });

  const timer = setInterval(() => {
    for (const [socket, connection] of connections) look(socket, connection);
  }, checkMs).unref();
  server.on('close', () => {
    clearInterval(timer);
  });

  return {
    /** To be told of each request, before anything is done about it. */
    began(request: IncomingMessage, response: ServerResponse): void {
      const connection = connections.get(request.socket);
      if (connection) Object.assign(connection, { request, response });
    },
  };

  function look(socket: Socket, connection: Connection): void {
    const { request, response, coming, read } = connection;
    connection.coming = request?.complete === false ? request : undefined;
    connection.read = socket.bytesRead;
    const isSlow = request === coming && socket.bytesRead - read < leastBytes;
    if (!isSlow || connection.coming === undefined) return;
    // What was refused before it had all come need not come any more.
    if (response?.writableEnded) socket.destroy();
    // Whoever reads the body hears of it as of a connection that broke, and answers.
    else if (request && request.listenerCount('error') > 0) {
      request.emit('error', problems.tooSlow());
    }
  }
}

/** A proxy on this machine speaks for many. */
function holderOf(address: string): string[] {
  return /^(::1|(::ffff:)?127\.[\d.]+)$/i.test(address) ? [] : [visitorKey(address)];
}
