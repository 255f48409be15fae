import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import fastify from 'fastify';
import type { FastifyReply } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inPieces } from '../../server/http/pieces.ts';
import { shareAnswers } from '../../server/http/shared.ts';
import { currentAsker, endIfNobodyWaits } from '../../server/platform/asker.ts';
import { startAppliance } from '../helpers/appliance.ts';
import { listOf, pixelOf, waitsBeside } from '../helpers/neighbour.ts';
import { openStream } from '../helpers/sse.ts';
import { freshTenant } from '../helpers/tenant.ts';
import type { TestTenant } from '../helpers/tenant.ts';

const MIB = 1 << 20;
const KEYED = 'GET /api/v1';
/** What nobody has to wait on a quiet machine; ours may be busy. */
const SOON_MS = 1000;

/** Asks over a socket of its own, and reads none of the answer. */
async function askAndStall({ url, key }: TestTenant, path: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write(
    `${KEYED}${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`,
  );
  await once(socket, 'connect');
  return socket;
}

async function sendMany(tenant: TestTenant, events: number, bytes: number): Promise<void> {
  const event = { source: 'a', event_type: 'x', data: { text: 'x'.repeat(bytes) } };
  const atOnce = Math.floor((15 * MIB) / (bytes + 100));
  for (let left = events; left > 0; left -= atOnce) {
    const answer = await tenant.post(Array.from({ length: Math.min(left, atOnce) }, () => event));
    expect(answer.statusCode).toBe(201);
  }
  await tenant.get('/events/types');
}

describe('a neighbour', () => {
  it('waits for nobody who asks for much, and whoever asks for too much hears so', async () => {
    const [one, other] = [await freshTenant(), await freshTenant()];
    await sendMany(one, 40_000, 200);
    await sendMany(other, 20, 200);
    const statuses: number[] = [];
    const { attacked } = await waitsBeside(listOf(other), async () => {
      const asked = Array.from({ length: 200 }, async () => {
        const answer = await fetch(`${one.url}/api/v1/events?skip=30000&limit=100`, {
          headers: { 'x-api-key': one.key },
        });
        await answer.arrayBuffer();
        statuses.push(answer.status);
        if (answer.status === 429) expect(answer.headers.get('retry-after')).toBe('2');
      });
      await Promise.all(asked);
    });
    expect(attacked.refused).toEqual([]);
    // One of the worst may meet what else this machine does.
    expect(attacked.median).toBeLessThan(SOON_MS);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(80);
  });

  it('is served beside those whose reads take too long, which are ended', async () => {
    await using appliance = await startAppliance({ answerTimes: { answerMs: 500 } });
    const [one, other] = [await freshTenant(appliance), await freshTenant(appliance)];
    await sendMany(one, 40_000, 200);
    await sendMany(other, 20, 200);
    const statuses: number[] = [];
    const { attacked } = await waitsBeside(listOf(other), async () => {
      const asked = Array.from({ length: 70 }, async () => {
        const answer = await fetch(`${one.url}/api/v1/events?text=none`, {
          headers: { 'x-api-key': one.key },
        });
        await answer.arrayBuffer();
        statuses.push(answer.status);
      });
      await Promise.all(asked);
    });
    expect(attacked.refused).toEqual([]);
    expect(attacked.median).toBeLessThan(SOON_MS / 4);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
  });

  it('is not held up by those who ask and do not read, who are cut off', async () => {
    await using appliance = await startAppliance({ answerTimes: { stalledMs: 400 } });
    const [one, other] = [await freshTenant(appliance), await freshTenant(appliance)];
    await sendMany(one, 60, MIB / 2);
    const before = process.memoryUsage().rss;
    let highest = 0;
    const sockets: Socket[] = [];
    const served: Socket[] = [];
    appliance.app.server.on('connection', (socket: Socket) => served.push(socket));
    const { attacked } = await waitsBeside(pixelOf(other), async () => {
      const watching = setInterval(() => {
        highest = Math.max(highest, process.memoryUsage().rss - before);
      }, 20);
      for (let i = 0; i < 40; i++) sockets.push(await askAndStall(one, '/events?limit=1000'));
      // All of them are hung up on.
      const ports = new Set(sockets.map(({ localPort }) => localPort));
      const open = () =>
        served.filter((socket) => !socket.destroyed && ports.has(socket.remotePort)).length;
      await expect.poll(open, { timeout: 10_000 }).toBe(0);
      clearInterval(watching);
    });
    for (const socket of sockets) socket.destroy();
    expect(attacked.refused).toEqual([]);
    expect(attacked.median).toBeLessThan(SOON_MS / 4);
    expect(attacked.worst).toBeLessThan(2 * SOON_MS);
    expect(highest / MIB).toBeLessThan(200);
    const after = await one.get('/events?limit=1000');
    expect(after.json()).toHaveLength(60);
  });

  it('gets a live stream however many one key has opened', async () => {
    const [one, other] = [await freshTenant(), await freshTenant()];
    const open = ({ url, key }: TestTenant) =>
      openStream(`${url}/api/v1/events/stream`, { 'x-api-key': key });
    const streams = await Promise.all(Array.from({ length: 60 }, () => open(one)));
    onTestFinished(() => {
      for (const stream of streams) stream[Symbol.dispose]();
    });
    const opened = streams.filter(({ response }) => response.statusCode === 200);
    expect(opened).toHaveLength(33);
    using theirs = await open(other);
    expect(theirs.response.statusCode).toBe(200);
    const refused = streams.find(({ response }) => response.statusCode === 429);
    expect(await refused?.body()).toMatch(/at most 100, shared by all clients/);
    for (const stream of opened.slice(1)) stream[Symbol.dispose]();
    await expect
      .poll(async () => {
        using again = await open(one);
        return again.response.statusCode;
      })
      .toBe(200);
  });
});

describe('an answer', () => {
  /** An app with one route, which somebody of a tenant asks. */
  async function listening(handler: (reply: FastifyReply) => unknown, answerMs?: number) {
    const app = fastify();
    app.addHook('onRequest', async (request) => {
      request.caller = { tenantId: 't', keyId: 'k' } as typeof request.caller;
    });
    shareAnswers(app, { stalledMs: 300, answerMs });
    const route = async (_request: unknown, reply: FastifyReply) => handler(reply);
    app.get('/', route).post('/', route);
    onTestFinished(() => app.close());
    await app.listen({ port: 0 });
    Object.assign(app.server, { httpAllowHalfOpen: true });
    return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`;
  }

  it('is ended once nobody waits for it', async () => {
    const begun = Promise.withResolvers<undefined>();
    const ended = Promise.withResolvers<undefined>();
    const url = await listening(async () => {
      currentAsker()?.signal.addEventListener('abort', () => ended.resolve(undefined));
      begun.resolve(undefined);
      await ended.promise;
    });
    const leaving = new AbortController();
    const asked = fetch(url, { signal: leaving.signal }).catch(() => 'left');
    await begun.promise;
    leaving.abort();
    await ended.promise;
    expect(await asked).toBe('left');
  });

  it('that takes too long is ended, and says so', async () => {
    const url = await listening(async () => {
      const { signal } = currentAsker() ?? {};
      await new Promise((ended) => signal?.addEventListener('abort', ended));
      endIfNobodyWaits();
    }, 20);
    const answer = await fetch(url);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('10');
    expect(await answer.text()).toMatch(/took longer than 0.02 s and was ended/);
  });

  it.each([
    ['GET', /took longer than 0.02 s and was ended/],
    ['POST', /is taking longer than 0.02 s and may still finish/],
  ])('comes in time whatever it waits for (%s), and then only once', async (method, words) => {
    const hanging = Promise.withResolvers<string>();
    const url = await listening(() => hanging.promise, 20);
    const answer = await fetch(url, { method });
    expect(answer.status).toBe(503);
    expect(((await answer.json()) as { detail: string }).detail).toMatch(words);
    hanging.resolve('too late');
    expect((await fetch(url, { method })).status).toBe(200);
  });

  it('reaches who has only closed their half', async () => {
    const url = await listening(async () => {
      await pause(100);
      return 'still here';
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.end('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toMatch(/HTTP\/1.1 200 OK[^]*still here$/);
  });

  it('that fails on the way is cut off, and never ends as if it were whole', async () => {
    const url = await listening((reply) =>
      reply.send(
        inPieces(
          (async function* () {
            yield Buffer.from('[1');
            await pause(10);
            throw new Error('The disk is gone');
          })(),
          1,
        ),
      ),
    );
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  it('is read no further than it is taken, and cut off where nothing is', async () => {
    let read = 0;
    const cut = Promise.withResolvers<undefined>();
    async function* blanks() {
      while (read < 64) {
        read++;
        yield await Promise.resolve(Buffer.alloc(4 * MIB, ' '));
      }
    }
    const url = await listening((reply) => {
      reply.raw.once('close', () => cut.resolve(undefined));
      return reply.send(inPieces(blanks(), 4 * MIB));
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await cut.promise;
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(16);
    socket.destroy();
  });
});
