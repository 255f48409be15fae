import { describe, expect, it } from 'vitest';
import { alert, DAY, HOUR, SECOND, webhookParts } from './parts.ts';
import { openReceiver } from './receiver.ts';

interface Standard {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

describe('a delivery', () => {
  it('reaches a receiver that knows only the standard, with the alert and its tenant', async () => {
    const parts = await webhookParts();
    const receiver = await openReceiver();
    const secret = await parts.setUp({ url: receiver.url, headers: { 'X-Team': 'shop' } });
    await parts.raise({ type: 'alert.created' });
    await parts.deliverer.deliverDue();

    const [request] = receiver.received;
    if (!request) throw new Error('Nothing came');
    expect(parts.verified(request, secret)).toEqual({
      type: 'alert.created',
      timestamp: '2026-03-01T10:00:00.000Z',
      data: { ...alert(), tenant: { id: parts.tenantId, name: 'Default' } },
    });
    expect(request.method).toBe('POST');
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Vedette/1.2.3',
      'x-team': 'shop',
    });
    expect(await parts.only()).toMatchObject({
      id: request.headers['webhook-id'],
      status: 'delivered',
      attempts: 1,
      alert_id: alert().id,
      last_status: 204,
      last_error: null,
      next_attempt_at: null,
      finished_at: '2026-03-01T10:00:00.000Z',
    });
  });

  it('carries any text unharmed', async () => {
    const parts = await webhookParts();
    const receiver = await openReceiver();
    const secret = await parts.setUp({ url: receiver.url });
    const message = '\uFEFF"quoted" \u0000 \ud83d\ude00 \\ line\nbreak \u2028';
    await parts.raise({ alert: alert({ message }) });
    await parts.deliverer.deliverDue();
    const [request] = receiver.received;
    const { data } = parts.verified(request as never, secret) as Standard;
    expect(data['message']).toBe(message);
  });

  it('is not made for who wants none of this severity, has switched off, or has no webhook', async () => {
    const parts = await webhookParts();
    const { outbox, tenantId } = parts;
    expect(outbox.wants(tenantId, 'critical')).toBeUndefined();
    await parts.setUp({ url: 'http://127.0.0.1:9/', severities: ['critical'] });
    expect(outbox.wants(tenantId, 'critical')).toMatchObject({ repeatAfterMinutes: 240 });
    expect(outbox.wants(tenantId, 'info')).toBeUndefined();
    await parts.raise({ alert: alert({ severity: 'info' }) });
    await parts.setUp({ enabled: false });
    expect(outbox.wants(tenantId, 'critical')).toBeUndefined();
    await parts.raise();
    expect(await parts.list()).toEqual([]);
  });

  it('stands or falls with the transaction that it is part of', async () => {
    const parts = await webhookParts();
    await parts.setUp({ url: 'http://127.0.0.1:9/' });
    const { database, outbox, tenantId, clock } = parts;
    const failing = database.write(async (sql) => {
      await outbox.add(sql, [{ tenantId, type: 'alert.created', alert: alert() }], clock.now());
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await parts.list()).toEqual([]);
  });

  it('of many is one that comes once', async () => {
    const parts = await webhookParts();
    const receiver = await openReceiver();
    await parts.setUp({ url: receiver.url });
    await parts.raise(...Array.from({ length: 50 }, () => ({})));
    await parts.deliverer.deliverDue();
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(50);
    expect(receiver.received).toHaveLength(50);
  });
});

describe('the webhook at the time of sending', () => {
  it('is what counts: the present address, secret and headers', async () => {
    const parts = await webhookParts();
    const [old, present] = [await openReceiver(500), await openReceiver()];
    await parts.setUp({ url: old.url });
    await parts.raise();
    await parts.deliverer.deliverDue();
    const secret = await parts.setUp({
      url: present.url,
      secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      headers: { Authorization: 'Bearer 1' },
    });
    parts.advance(5 * SECOND);
    await parts.deliverer.deliverDue();
    expect(old.received).toHaveLength(1);
    const [request] = present.received;
    parts.verified(request as never, secret);
    expect(request?.headers['authorization']).toBe('Bearer 1');
  });

  it('cancels what is still to be sent when it is removed or switched off', async () => {
    const parts = await webhookParts();
    const receiver = await openReceiver(500);
    await parts.setUp({ url: receiver.url });
    await parts.raise();
    await parts.deliverer.deliverDue();
    await parts.setUp({ enabled: false });
    parts.advance(5 * SECOND);
    await parts.deliverer.deliverDue();
    const expected = { status: 'cancelled', attempts: 1, last_status: 500, next_attempt_at: null };
    const why = { last_error: 'the webhook is switched off' };
    expect(await parts.only()).toMatchObject({ ...expected, ...why });

    await parts.setUp({ enabled: true });
    await parts.deliveries.resend(parts.tenantId, (await parts.only()).id, parts.clock.time);
    await parts.profiles.change(parts.tenantId, { webhook: null }, 'session');
    await parts.deliverer.deliverDue();
    expect(await parts.only()).toMatchObject({
      ...expected,
      last_error: 'the webhook was removed',
    });
  });

  it('is tried again later when it cannot be decrypted', async () => {
    const parts = await webhookParts();
    const receiver = await openReceiver();
    await parts.setUp({ url: receiver.url });
    await parts.raise();
    const { sealed = '' } = parts.tenants.first().webhook ?? {};
    const reseal = (text: string) =>
      parts.tenants.change(parts.tenantId, ({ webhook }) => {
        if (webhook) webhook.sealed = text;
      });
    await reseal('g1.lost');
    await parts.deliverer.deliverDue();
    const failed = await parts.only();
    expect(failed).toMatchObject({ status: 'pending', attempts: 1, last_status: null });
    expect(failed.last_error).toContain('cannot be decrypted');
    expect(parts.profiles.get(parts.tenantId, 'full')).toMatchObject({
      webhook: null,
      webhook_problem: expect.stringContaining('set it up again') as string,
    });
    await reseal(sealed);
    parts.advance(5 * SECOND);
    await parts.deliverer.deliverDue();
    expect((await parts.only()).status).toBe('delivered');
  });
});

it('forgets finished deliveries after 30 days, and no pending ones', async () => {
  const parts = await webhookParts();
  const receiver = await openReceiver();
  await parts.setUp({ url: receiver.url });
  await parts.raise();
  await parts.deliverer.deliverDue();
  await parts.raise();
  parts.advance(30 * DAY);
  await parts.deliverer.prune(parts.clock.time);
  expect(await parts.list()).toHaveLength(2);
  parts.advance(HOUR);
  await parts.deliverer.prune(parts.clock.time);
  expect(await parts.only()).toMatchObject({ status: 'pending' });
});
