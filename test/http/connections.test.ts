import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { guardConnections } from '../../server/http/connections.ts';
import { startAppliance } from '../helpers/appliance.ts';
import { pixelOf, waitsBeside } from '../helpers/neighbour.ts';
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

it('connections that say nothing do not keep others out', async () => {
  await using vedette = await startAppliance();
  const neighbour = await freshTenant(vedette);
  const { calm, attacked } = await waitsBeside(pixelOf(neighbour), async () => {
    const idle = Array.from({ length: 300 }, () => dial(vedette.url));
    await Promise.all(idle.map(({ socket }) => once(socket, 'connect')));
    for (const { socket } of idle) socket.destroy();
  });
  expect(attacked.refused).toEqual([]);
  expect(attacked.worst).toBeLessThan(calm.worst + 1000);
  expect(vedette.app.server.headersTimeout).toBeLessThanOrEqual(10_000);
});

describe('the places for connections', () => {
  function open(most: number) {
    const server = new EventEmitter();
    guardConnections(server as never, { most });
    const from = (remoteAddress: string) => {
      const socket = Object.assign(new EventEmitter(), {
        remoteAddress,
        destroyed: false,
        destroy: () => (socket.destroyed = true),
      });
      server.emit('connection', socket);
      return socket;
    };
    const close = () => server.emit('close');
    return { from, close };
  }

  it('are shared by addresses, and given back', () => {
    const { from, close } = open(100);
    const greedy = Array.from({ length: 100 }, () => from('192.0.2.1'));
    const kept = greedy.filter(({ destroyed }) => !destroyed);
    expect(kept).toHaveLength(50);
    expect(from('::ffff:192.0.2.1').destroyed).toBe(true);
    expect(from('192.0.2.2').destroyed).toBe(false);
    for (const socket of kept.slice(0, 2)) socket.emit('close');
    expect(from('192.0.2.1').destroyed).toBe(false);
    close();
  });

  it('may all be taken by a proxy on this machine, which speaks for many', () => {
    const { from, close } = open(100);
    const proxied = Array.from({ length: 101 }, () => from('127.0.0.1'));
    expect(proxied.filter(({ destroyed }) => destroyed)).toHaveLength(1);
    close();
  });
});
