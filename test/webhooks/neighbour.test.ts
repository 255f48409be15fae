import { expect, it } from 'vitest';
import type { Delivery } from '../../server/webhooks/schema.ts';
import { WEBHOOK_TRIES_PER_MINUTE as TRIES } from '../../server/platform/bounds.ts';
import { pixelOf, waitsBeside } from '../helpers/neighbour.ts';
import { freshTenant } from '../helpers/tenant.ts';
import type { TestTenant } from '../helpers/tenant.ts';
import { setWebhook } from '../helpers/webhook.ts';
import { openReceiver } from './receiver.ts';

/** By the wire, as whoever has the key does it. */
const test = ({ url, key }: TestTenant) =>
  fetch(`${url}/api/v1/webhooks/test`, { method: 'POST', headers: { 'x-api-key': key } });

const deliveries = async ({ get }: TestTenant) =>
  (await get('/webhooks/deliveries?limit=1000')).json<Delivery[]>();

it('a webhook that leads back to Vedette ends there, says so, and holds up nobody', async () => {
  const [tenant, neighbour] = [await freshTenant(), await freshTenant()];
  // Its key goes along, so that each test would be another one.
  const url = `${tenant.url}/api/v1/webhooks/test`;
  await setWebhook(tenant.owner, { url, headers: { 'X-API-Key': tenant.key } });
  const { calm, attacked } = await waitsBeside(pixelOf(neighbour), async () => {
    const answer = await test(tenant);
    expect(await answer.json()).toMatchObject({
      ...{ status: 'failed', last_status: 508 },
      last_error:
        'answered 508: there is a Vedette at this address, which does not accept webhooks',
    });
  });
  expect(await deliveries(tenant)).toHaveLength(1);
  expect([...calm.refused, ...attacked.refused]).toEqual([]);
  expect(attacked.worst).toBeLessThan(calm.worst + 1000);
});

it.each(['/events', '/events/collect?k=KEY&d=%7B%7D', '/rules', '/no-such-path'])(
  'a webhook to %s is refused, and leaves nothing',
  async (path) => {
    const tenant = await freshTenant();
    const url = `${tenant.url}/api/v1${path.replace('KEY', tenant.key)}`;
    await setWebhook(tenant.owner, { url, headers: { 'X-API-Key': tenant.key } });
    expect(await (await test(tenant)).json()).toMatchObject({ last_status: 508 });
    expect((await tenant.get('/events/rejected')).json()).toEqual([]);
    expect((await tenant.get('/events')).json()).toEqual([]);
  },
);

it('tests and resends are counted by tenant, and a receiver that hangs holds up nobody', async () => {
  const [tenant, neighbour] = [await freshTenant(), await freshTenant()];
  const receiver = await openReceiver('hang');
  await setWebhook(tenant.owner, { url: receiver.url });
  const { calm, attacked } = await waitsBeside(pixelOf(neighbour), async () => {
    const waits: (string | null)[] = [];
    const answers = Array.from({ length: 100 }, async () => {
      const { status, headers } = await test(tenant);
      if (status === 429) waits.push(headers.get('retry-after'));
    });
    await receiver.arrived(TRIES);
    await expect.poll(() => waits.length).toBe(100 - TRIES);
    for (const wait of waits) expect(Number(wait)).toBeGreaterThan(0);
    await receiver.close();
    await Promise.all(answers);
  });
  expect(receiver.received).toHaveLength(TRIES);
  const [one] = await deliveries(tenant);
  expect((await tenant.call('POST', `/webhooks/deliveries/${one?.id}/resend`)).statusCode).toBe(
    429,
  );
  expect([...calm.refused, ...attacked.refused]).toEqual([]);
  expect(attacked.worst).toBeLessThan(calm.worst + 1000);

  // Another tenant has tests of its own.
  await setWebhook(neighbour.owner, { url: (await openReceiver()).url });
  expect(await (await test(neighbour)).json()).toMatchObject({ status: 'delivered' });
});
