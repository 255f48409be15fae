import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DELAYS, TRIED_FOR } from '../../server/webhooks/schedule.ts';
import { DAY, MINUTE, SECOND, webhookParts } from './parts.ts';
import { openReceiver } from './receiver.ts';

describe('a delivery that fails', () => {
  it('is tried again with growing pauses for three days, signed anew under the same id', async () => {
    const parts = await webhookParts();
    const receiver = await openReceiver(500);
    const secret = await parts.setUp({ url: receiver.url });
    await parts.raise();
    for (const [index, delay] of DELAYS.entries()) {
      await parts.deliverer.deliverDue();
      // The signature is of now: an old one would be refused.
      parts.verified(receiver.received[index] as never, secret);
      expect(await parts.only()).toMatchObject({
        status: 'pending',
        attempts: index + 1,
        last_status: 500,
        last_error: 'answered 500',
        next_attempt_at: new Date(parts.clock.time + delay).toISOString(),
      });
      parts.advance(delay - 1);
      await parts.deliverer.deliverDue();
      expect(receiver.received).toHaveLength(index + 1);
      parts.advance(1);
    }
    await parts.deliverer.deliverDue();
    expect(await parts.only()).toMatchObject({ status: 'failed', attempts: DELAYS.length + 1 });
    expect(DELAYS.reduce((sum, delay) => sum + delay, 0)).toBeLessThanOrEqual(TRIED_FOR);

    expect(receiver.received).toHaveLength(DELAYS.length + 1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    parts.verified(receiver.received.at(-1) as never, secret);
    parts.advance(30 * DAY);
    await parts.deliverer.deliverDue();
    expect(receiver.received).toHaveLength(DELAYS.length + 1);
  });

  it('succeeds when the receiver is back', async () => {
    const parts = await webhookParts();
    const receiver = await openReceiver(503);
    const secret = await parts.setUp({ url: receiver.url });
    await parts.raise();
    await parts.deliverer.deliverDue();
    receiver.answers(200);
    parts.advance(5 * SECOND);
    await parts.deliverer.deliverDue();
    for (const request of receiver.received) parts.verified(request, secret);
    expect(await parts.only()).toMatchObject({
      status: 'delivered',
      attempts: 2,
      last_error: null,
    });
  });

  it.each([
    ['90', 90 * SECOND],
    ['Sun, 01 Mar 2026 10:02:00 GMT', 2 * MINUTE],
    ['1', 5 * SECOND],
    ['soon', 5 * SECOND],
  ])('waits at least as long as Retry-After %s asks', async (header, wait) => {
    const parts = await webhookParts();
    const receiver = await openReceiver({ status: 429, headers: { 'retry-after': header } });
    await parts.setUp({ url: receiver.url });
    await parts.raise();
    const begun = parts.clock.time;
    await parts.deliverer.deliverDue();
    const { next_attempt_at: next } = await parts.only();
    expect(Date.parse(next ?? '') - begun).toBe(wait);
  });

  it('is tried a last time at the end when Retry-After asks for more than the three days', async () => {
    const parts = await webhookParts();
    const headers = { 'retry-after': String(4 * 24 * 3600) };
    const receiver = await openReceiver({ status: 503, headers });
    await parts.setUp({ url: receiver.url });
    await parts.raise();
    await parts.deliverer.deliverDue();
    const { status, next_attempt_at, created_at } = await parts.only();
    const end = new Date(Date.parse(created_at) + TRIED_FOR).toISOString();
    expect([status, next_attempt_at]).toEqual(['pending', end]);
  });

  it('begins another three days when it is sent again by hand', async () => {
    const parts = await webhookParts();
    const receiver = await openReceiver(500);
    await parts.setUp({ url: receiver.url });
    await parts.raise();
    for (const delay of [...DELAYS, 0]) {
      await parts.deliverer.deliverDue();
      parts.advance(delay);
    }
    const { id, status, attempts } = await parts.only();
    expect({ status, attempts }).toEqual({ status: 'failed', attempts: DELAYS.length + 1 });
    parts.advance(DAY);
    await parts.deliveries.resend(parts.tenantId, id, parts.clock.time);
    await parts.deliverer.deliverDue();
    expect(await parts.only()).toMatchObject({
      ...{ status: 'pending', attempts: attempts + 1 },
      next_attempt_at: new Date(parts.clock.time + 5 * SECOND).toISOString(),
    });
  });

  it('is due at once when the clock that put it off or gave it up is set back', async () => {
    const parts = await webhookParts();
    const receiver = await openReceiver(500);
    await parts.setUp({ url: receiver.url });
    await parts.raise({});
    await parts.deliverer.deliverDue();
    parts.advance(100 * DAY);
    // The three days of the first are over by this clock, and those of the second have begun.
    await parts.raise({});
    await parts.deliverer.deliverDue();
    const statuses = async () => (await parts.list()).map(({ status }) => status);
    expect(await statuses()).toEqual(['pending', 'failed']);

    parts.advance(-100 * DAY + MINUTE);
    await parts.deliverer.deliverDue();
    expect(receiver.received).toHaveLength(5);
    const next = new Date(parts.clock.time + MINUTE).toISOString();
    expect(await parts.list()).toMatchObject([
      { status: 'pending', attempts: 2, next_attempt_at: next },
      { status: 'pending', attempts: 3, finished_at: null },
    ]);
    // Once: from now on the pauses hold again.
    await parts.deliverer.deliverDue();
    expect(receiver.received).toHaveLength(5);
    receiver.answers(200);
    parts.advance(5 * MINUTE);
    await parts.deliverer.deliverDue();
    expect(await statuses()).toEqual(['delivered', 'delivered']);
  });

  it('stays over when the clock is set back where it was a test, gone, or cancelled', async () => {
    const parts = await webhookParts();
    const receiver = await openReceiver(500);
    await parts.setUp({ url: receiver.url });
    parts.advance(100 * DAY);
    await parts.deliveries.test(parts.tenantId, parts.clock.time);
    await parts.raise({});
    await parts.deliveries.cancelAll(parts.tenantId, parts.clock.time);
    receiver.answers(410);
    await parts.raise({});
    await parts.deliverer.deliverDue();
    await parts.setUp({ enabled: true });
    const before = await parts.list();
    expect(before.map(({ status }) => status).sort()).toEqual(['cancelled', 'failed', 'failed']);

    parts.advance(-100 * DAY);
    await parts.deliverer.deliverDue();
    expect(await parts.list()).toEqual(before);
    expect(receiver.received).toHaveLength(2);
  });

  it('is over at once at 410, and switches the webhook off until someone looks', async () => {
    const parts = await webhookParts();
    const receiver = await openReceiver(410);
    await parts.setUp({ url: receiver.url });
    await parts.raise({}, {});
    await parts.deliverer.deliverDue();
    const statuses = (await parts.list()).map(({ status }) => status);
    expect(statuses).toEqual(['failed', 'failed']);
    const { profiles, tenantId, outbox } = parts;
    const off = profiles.get(tenantId, 'full');
    expect(off.webhook?.enabled).toBe(false);
    expect(off.webhook_problem).toContain('410 Gone');
    expect(outbox.wants(tenantId, 'critical')).toBeUndefined();

    // Sent back as it is shown, it is still off and still says why.
    await parts.setUp(off.webhook as never);
    expect(profiles.get(tenantId, 'full')).toEqual(off);
    await parts.setUp({ enabled: true });
    expect(profiles.get(tenantId, 'full').webhook_problem).toBeNull();
  });

  it('does not switch off a webhook that was set up anew while it was under way', async () => {
    const parts = await webhookParts();
    const receiver = await openReceiver(410);
    await parts.setUp({ url: receiver.url });
    const { sealed = '' } = parts.tenants.first().webhook ?? {};
    await parts.setUp({ url: `${receiver.url}/new` });
    await parts.targets.switchOff(parts.tenantId, sealed, 'gone');
    expect(parts.profiles.get(parts.tenantId, 'full')).toMatchObject({
      webhook: { enabled: true },
      webhook_problem: null,
    });
  });

  it('follows no redirect', async () => {
    const parts = await webhookParts();
    const elsewhere = await openReceiver();
    const receiver = await openReceiver({ status: 307, headers: { location: elsewhere.url } });
    await parts.setUp({ url: receiver.url });
    await parts.raise();
    await parts.deliverer.deliverDue();
    expect(elsewhere.received).toEqual([]);
    expect(await parts.only()).toMatchObject({
      status: 'pending',
      last_status: 307,
      last_error: 'answered 307: redirects are not followed',
    });
  });

  it('says that nobody answered in time', async () => {
    const parts = await webhookParts({ timeoutMs: 100 });
    const receiver = await openReceiver('hang');
    await parts.setUp({ url: receiver.url });
    await parts.raise();
    await parts.deliverer.deliverDue();
    expect(await parts.only()).toMatchObject({
      status: 'pending',
      last_status: null,
      last_error: 'no answer within 0.1 seconds',
    });
  });

  it.each([
    ['500 Broken', 'pending', 'no answer within 0.1 seconds'],
    // It was taken: what breaks off behind that is no reason to send it again.
    ['200 OK', 'delivered', null],
  ])('whose answer %s does not end in time is %s', async (line, status, last_error) => {
    const parts = await webhookParts({ timeoutMs: 100 });
    const url = await openRaw((socket) =>
      socket.write(`HTTP/1.1 ${line}\r\ncontent-length: 9\r\n\r\nhalf`),
    );
    await parts.setUp({ url });
    await parts.raise();
    await parts.deliverer.deliverDue();
    expect(await parts.only()).toMatchObject({ status, last_error });
  });

  it.each([
    ['is closed', (socket: Socket) => socket.end(), 'the connection broke'],
    ['is reset', (socket: Socket) => socket.resetAndDestroy(), 'the connection broke'],
    ['is not HTTP', (socket: Socket) => socket.end('220 mail.example ESMTP\r\n'), 'is not HTTP'],
  ])('says that the connection %s', async (_what, answer, words) => {
    const parts = await webhookParts();
    await parts.setUp({ url: await openRaw(answer) });
    await parts.raise();
    await parts.deliverer.deliverDue();
    expect((await parts.only()).last_error).toContain(words);
  });

  it('says that nobody is there, or that the name is unknown', async () => {
    const parts = await webhookParts();
    const receiver = await openReceiver();
    await receiver.close();
    await parts.setUp({ url: receiver.url });
    await parts.raise();
    await parts.deliverer.deliverDue();
    expect((await parts.only()).last_error).toBe('connection refused');
    await parts.setUp({ url: 'http://no-such-host.invalid/' });
    parts.advance(MINUTE);
    await parts.deliverer.deliverDue();
    expect((await parts.only()).last_error).toContain('name not found');
  });

  it('reads no more than the beginning of a long answer', async () => {
    const parts = await webhookParts();
    let sent = 0;
    const url = await openRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const pour = () => {
        while (!socket.destroyed && socket.write('x'.repeat(4096))) sent += 4096;
      };
      socket.on('drain', pour);
      pour();
    });
    await parts.setUp({ url });
    await parts.raise();
    await parts.deliverer.deliverDue();
    expect((await parts.only()).status).toBe('delivered');
    expect(sent).toBeLessThan(16 << 20);
  });
});

/** A server that speaks for itself once a request has begun to come. */
async function openRaw(answer: (socket: Socket) => unknown): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
