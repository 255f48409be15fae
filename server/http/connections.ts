import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { BODY_BYTES_PER_SECOND, BODY_CHECK_MS, MAX_CONNECTIONS } from '../platform/bounds.ts';
import { problems } from '../platform/errors.ts';
import { createShares } from '../platform/shares.ts';
import type { Who } from '../platform/shares.ts';
import { visitorKey } from './limits.ts';
import { isLoopbackAddress } from './local.ts';
import { plainAddress } from './proxies.ts';

/** An address, or a proxy, with its connections. */
interface Holder {
  name: string;
  who: Who;
  open: number;
  /** Those on which no request is under way, the longest idle first. */
  idle: Set<Socket>;
}

interface Connection {
  holder: Holder;
  /** Requests without a finished answer: a client may send the next ones before it has one. */
  underWay: number;
  /** The newest, until it has come and its answer has gone. */
  request?: IncomingMessage | undefined;
  response?: ServerResponse | undefined;
  /** The request whose body was still coming at the last look, and what had come by then. */
  coming: IncomingMessage | undefined;
  read: number;
}

export interface ConnectionOptions {
  /** It speaks for many, so it may have all places; one on this machine may anyway. */
  isProxy: (address: string) => boolean;
  most?: number | undefined;
  checkMs?: number | undefined;
}

/**
 * Nobody keeps connections to themselves: each address has a share of them, an idle one makes room
 * for a new one, and a body has to come in. One look at all of them every few seconds costs less
 * than a timer for each.
 */
export function guardConnections(
  server: Pick<Server, 'on'>,
  { isProxy, most = MAX_CONNECTIONS, checkMs = BODY_CHECK_MS }: ConnectionOptions,
) {
  const connections = new Map<Socket, Connection>();
  const holders = new Map<string, Holder>();
  const places = createShares(most);
  const leastBytes = (BODY_BYTES_PER_SECOND * checkMs) / 1000;

  server.on('connection', (socket: Socket) => {
    const holder = holderAt(plainAddress(socket.remoteAddress ?? ''));
    if (!findPlace(holder)) {
      socket.destroy();
      return;
    }
    holders.set(holder.name, holder);
    holder.open++;
    holder.idle.add(socket);
    connections.set(socket, { holder, underWay: 0, coming: undefined, read: 0 });
    socket.once('close', () => leave(socket));
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
      const { socket } = request;
      const connection = connections.get(socket);
      if (!connection) return;
      Object.assign(connection, { request, response });
      connection.underWay++;
      connection.holder.idle.delete(socket);
      response.once('close', () => {
        if (--connection.underWay > 0 || !connections.has(socket)) return;
        connection.holder.idle.add(socket);
        forgetWhole(connection);
      });
    },
  };

  function holderAt(address: string): Holder {
    const speaksForMany = isLoopbackAddress(address) || isProxy(address);
    const name = speaksForMany ? `proxy ${address}` : visitorKey(address);
    const who = speaksForMany ? [] : [name];
    return holders.get(name) ?? { name, who, open: 0, idle: new Set() };
  }

  /** At the bound, whoever has most gives up what was idle the longest. */
  function findPlace(holder: Holder): boolean {
    while (!places.take(holder.who, 1)) {
      let richest = holder;
      for (const other of holders.values()) {
        if (other.idle.size > 0 && other.open > richest.open) richest = other;
      }
      const [idle] = richest.idle;
      if (!idle) return false;
      // What closes says so later, and its place is wanted now.
      leave(idle);
      idle.destroy();
    }
    return true;
  }

  function leave(socket: Socket): void {
    const holder = connections.get(socket)?.holder;
    if (!holder) return;
    connections.delete(socket);
    holder.idle.delete(socket);
    if (--holder.open === 0) holders.delete(holder.name);
    places.giveBack(holder.who, 1);
  }

  function look(socket: Socket, connection: Connection): void {
    const { request, response, coming, read } = connection;
    connection.coming = request?.complete === false ? request : undefined;
    connection.read = socket.bytesRead;
    if (connection.underWay === 0) forgetWhole(connection);
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

/** A connection may be kept for long, and what is over would be kept with it. */
function forgetWhole(connection: Connection): void {
  if (connection.request?.complete !== false) connection.request = connection.response = undefined;
}
