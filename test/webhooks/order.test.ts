import { expect, it } from 'vitest';
import { LANE } from '../../server/webhooks/deliverer.ts';
import { freshTenant } from '../helpers/tenant.ts';
import { setWebhook } from '../helpers/webhook.ts';
import { alert, SECOND, webhookParts } from './parts.ts';
import { openReceiver } from './receiver.ts';
import type { Receiver } from './receiver.ts';

const typesOf = ({ received }: Receiver) =>
  received.map(({ body }) => (JSON.parse(body) as { type: string }).type);

const numbered = (n: number) =>
  alert({ id: `018f3a5c-7b1e-7000-8000-${String(n).padStart(12, '0')}` });

it('the end of an alert is told only behind its beginning', async () => {
  const parts = await webhookParts();
  const receiver = await openReceiver(500);
  await parts.setUp({ url: receiver.url });
  await parts.raise();
  await parts.deliverer.deliverDue();
  await parts.raise({ type: 'alert.resolved' });
  await parts.deliverer.deliverDue();
  expect(typesOf(receiver)).toEqual(['alert.created']);

  receiver.answers(204);
  parts.advance(5 * SECOND);
  await parts.deliverer.deliverDue();
  expect(typesOf(receiver)).toEqual(['alert.created', 'alert.created', 'alert.resolved']);
});

it('a new alert goes before what is told about old ones', async () => {
  const parts = await webhookParts();
  const receiver = await openReceiver();
  await parts.setUp({ url: receiver.url });
  const ends = Array.from({ length: 5 * LANE }, (_, n) => ({
    type: 'alert.resolved' as const,
    alert: numbered(n),
  }));
  await parts.raise(...ends, { alert: numbered(999) });
  await parts.deliverer.deliverDue();
  const types = typesOf(receiver);
  expect(types).toHaveLength(5 * LANE + 1);
  expect(types.slice(0, LANE)).toContain('alert.created');
});

it('a webhook that is removed leaves nothing for the next one', async () => {
  const [old, next] = [await openReceiver(500), await openReceiver()];
  const { appliance, owner, call, post } = await freshTenant();
  await setWebhook(owner, { url: old.url });
  const config = { event_type: 'error', operator: '>', value: 0, window_minutes: 5 };
  const rule = { name: 'r', rule_type: 'threshold', config: { ...config, severity: 'info' } };
  await call('POST', '/rules', rule);
  await post([{ source: 's', event_type: 'error', data: {} }]);
  await call('POST', '/evaluations');
  await old.arrived(1);
  await appliance.deliverDue();
  await call('PATCH', '/tenants/me', { webhook: null });
  await setWebhook(owner, { url: next.url });
  const [only] = (await call('GET', '/webhooks/deliveries')).json<object[]>();
  expect(only).toMatchObject({
    ...{ status: 'cancelled', last_error: 'the webhook was removed', next_attempt_at: null },
  });
  expect(next.received).toEqual([]);
});
