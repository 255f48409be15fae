import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { guardConnections } from '../../server/http/connections.ts';
import { startAppliance } from '../helpers/appliance.ts';
import { waitsBeside } from '../helpers/neighbour.ts';
import { freshTenant } from '../helpers/tenant.ts';
import type { TestTenant } from '../helpers/tenant.ts';

/** A connection to an appliance, and all that comes back until its end. */
function dial(url: string, ...sent: (string | Buffer)[]) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  socket.on('error', () => undefined);
  for (const part of sent) socket.write(part);
  return { socket, answer: once(socket, 'close').then(() => answer), soFar: () => answer };
}

const post = (key: string, path: string, bytes: number) =>
  `POST /api/v1${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;

describe('a sender who stops in the middle of a body', () => {
  it('is told so with 408, wherever it was to go', async () => {
    await using vedette = await startAppliance({ bodyCheckMs: 100 });
    const { key } = await freshTenant(vedette);
    const waits = ['/events', '/rules'].map((path) =>
      dial(vedette.url, post(key, path, 500_000), ' '.repeat(100_000)),
    );
    for (const { answer } of waits) {
      expect(await answer).toMatch(/^HTTP\/1\.1 408 [^]*\{"detail":"The request took too long/);
    }
  });

  it('is let go when it was refused long since', async () => {
    await using vedette = await startAppliance({ bodyCheckMs: 100 });
    const { answer } = dial(vedette.url, post('wrong', '/events', 500_000), ' '.repeat(1000));
    expect(await answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('is not who brings a body slowly but steadily', async () => {
    await using vedette = await startAppliance({ bodyCheckMs: 300 });
    const { key } = await freshTenant(vedette);
    const body = Buffer.from(`[]${' '.repeat(200_000)}`);
    const { socket, soFar } = dial(vedette.url, post(key, '/events', body.length));
    for (let at = 0; at < body.length; at += 4000) {
      socket.write(body.subarray(at, at + 4000));
      await new Promise((done) => setTimeout(done, 15));
    }
    await expect.poll(soFar).toMatch(/^HTTP\/1\.1 201 /);
    socket.destroy();
  });
});

/** A body of the largest size but for its end, as often as said. */
function holdBodies({ url, key }: TestTenant, times: number) {
  const bytes = 16 << 20;
  const body = Buffer.alloc(bytes - 4, 0x20);
  return Array.from({ length: times }, () => dial(url, post(key, '/events', bytes), body));
}

it('bodies that one key holds back leave room for those of others', async () => {
  await using vedette = await startAppliance({ bodyCheckMs: 1500 });
  const [greedy, neighbour] = [await freshTenant(vedette), await freshTenant(vedette)];
  const body = JSON.stringify([{ source: 'a', event_type: 'b', data: { x: 'x'.repeat(100_000) } }]);
  const send = () =>
    fetch(`${neighbour.url}/api/v1/events`, {
      method: 'POST',
      headers: { 'x-api-key': neighbour.key, 'content-type': 'application/json' },
      body,
    });
  let answers: string[] = [];
  const { calm, attacked } = await waitsBeside(send, async () => {
    answers = await Promise.all(holdBodies(greedy, 6).map(({ answer }) => answer));
  });
  expect(attacked.refused).toEqual([]);
  expect(attacked.worst).toBeLessThan(calm.worst + 1000);
  // Each of them is told something: it came too slowly, or there was no room.
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 (408|503) /);
});

it('idle connections beyond the bound do not keep others out, not even behind the same proxy', async () => {
  await using vedette = await startAppliance({ mostConnections: 60 });
  const neighbour = await freshTenant(vedette);
  const ask = () => fetch(`${vedette.url}/health`, { headers: { connection: 'close' } });
  const silent: ReturnType<typeof dial>[] = [];
  const dialled = async (...sent: string[]) => {
    const one = dial(vedette.url, ...sent);
    silent.push(one);
    await once(one.socket, sent.length > 0 ? 'data' : 'connect');
  };
  const streamed = dial(
    vedette.url,
    `GET /api/v1/events/stream HTTP/1.1\r\nHost: a\r\nX-API-Key: ${neighbour.key}\r\n\r\n`,
  );
  await expect.poll(streamed.soFar).toContain('200 OK');
  const { calm, attacked } = await waitsBeside(ask, async () => {
    for (let i = 0; i < 100; i++) {
      await dialled();
      await dialled('GET /health HTTP/1.1\r\nHost: a\r\n\r\n');
    }
  });
  expect(attacked.refused).toEqual([]);
  expect(attacked.worst).toBeLessThan(calm.worst + 1000);
  await expect.poll(() => silent.filter(({ socket }) => !socket.destroyed).length).toBeLessThan(60);
  expect(streamed.socket.destroyed).toBe(false);
  expect(vedette.app.server.headersTimeout).toBeLessThanOrEqual(10_000);
  for (const { socket } of [...silent, streamed]) socket.destroy();
});

describe('the places for connections', () => {
  function open(most: number, proxy?: string) {
    const server = new EventEmitter();
    const isProxy = (address: string) => address === proxy;
    const connections = guardConnections(server as never, { most, isProxy });
    onTestFinished(() => void server.emit('close'));
    const from = (remoteAddress: string) => {
      const socket = Object.assign(new EventEmitter(), {
        remoteAddress,
        destroyed: false,
        destroy: () => (socket.destroyed = true),
      });
      server.emit('connection', socket);
      return socket;
    };
    /** Begins a request on a connection; returns what ends it. */
    const ask = (socket: ReturnType<typeof from>) => {
      const response = new EventEmitter();
      connections.began({ socket, complete: true } as never, response as never);
      return () => response.emit('close');
    };
    const many = (count: number, address: string) =>
      Array.from({ length: count }, () => from(address));
    /** As many connections, each with a request under way. */
    const busy = (count: number, address: string) =>
      Array.from({ length: count }, () => {
        const socket = from(address);
        return { socket, answered: ask(socket) };
      });
    return { from, many, ask, busy };
  }
  const kept = (sockets: { destroyed: boolean }[]) =>
    sockets.filter((one) => !one.destroyed).length;

  it('are shared by addresses, and given back', () => {
    const { from, busy } = open(100);
    const greedy = busy(100, '192.0.2.1').map(({ socket }) => socket);
    expect(kept(greedy)).toBe(50);
    expect(from('::ffff:192.0.2.1').destroyed).toBe(true);
    expect(from('192.0.2.2').destroyed).toBe(false);
    for (const socket of greedy.slice(0, 2)) socket.emit('close');
    expect(from('192.0.2.1').destroyed).toBe(false);
  });

  it('are taken from what the same address left idle the longest', () => {
    const { from, many, ask } = open(100);
    const [first, second, third] = [from('192.0.2.1'), from('192.0.2.1'), from('192.0.2.1')];
    const other = from('192.0.2.2');
    const closed = () => [first, second, third, other].map(({ destroyed }) => destroyed);
    const answered = ask(first);
    ask(second)();
    expect(kept(many(47, '192.0.2.1'))).toBe(47);
    expect(closed()).toEqual([false, false, true, false]);
    answered();
    expect(kept(many(48, '192.0.2.1'))).toBe(48);
    expect(closed()).toEqual([false, true, true, false]);
    expect(from('192.0.2.1').destroyed).toBe(false);
    expect(closed()).toEqual([true, true, true, false]);
  });

  it('are not taken from a connection that waits for the second of two answers', () => {
    const { from, ask } = open(2);
    const pipelined = from('127.0.0.1');
    const [answered, answeredToo] = [ask(pipelined), ask(pipelined)];
    ask(from('127.0.0.1'));
    answered();
    expect(from('127.0.0.1').destroyed).toBe(true);
    answeredToo();
    expect(from('127.0.0.1').destroyed).toBe(false);
    expect(pipelined.destroyed).toBe(true);
  });

  it.each(['127.0.0.1', '10.0.0.5'])('may all be taken by a proxy, as %s', (proxy) => {
    const { from, busy } = open(100, '10.0.0.5');
    const passed = busy(101, proxy);
    expect(kept(passed.map(({ socket }) => socket))).toBe(100);
    // While it has nothing idle there is no room, and then there is for everybody.
    expect(from('192.0.2.1').destroyed).toBe(true);
    for (const { answered } of passed.slice(0, 20)) answered();
    for (const address of [proxy, '192.0.2.1', '192.0.2.1', '192.0.2.1']) {
      expect(from(address).destroyed).toBe(false);
    }
    expect(kept(passed.slice(0, 20).map(({ socket }) => socket))).toBeGreaterThan(5);
  });

  it('are not taken from addresses that hold less', () => {
    const { busy, many } = open(100);
    const few = many(3, '192.0.2.2');
    expect(kept(busy(60, '192.0.2.1').map(({ socket }) => socket))).toBe(48);
    expect(kept(few)).toBe(3);
  });
});
