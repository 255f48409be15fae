import { expect, it, vi } from 'vitest';
import type { Delivery } from '../../server/webhooks/schema.ts';
import { KEY } from '../helpers/appliance.ts';
import { runCrashable } from '../helpers/child.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openReceiver, verified } from './receiver.ts';

it('a kill between the answer and its note sends again under the same id, once', async () => {
  const dataDir = tempDir();
  const receiver = await openReceiver();
  const vedette = runCrashable({ dataDir, fault: { point: 'delivery-sent' } });
  const { url } = await vedette.up;
  const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
  const set = await fetch(`${url}/api/v1/tenants/me`, {
    ...{ method: 'PATCH', headers },
    body: JSON.stringify({ webhook: { url: receiver.url } }),
  });
  const { webhook } = (await set.json()) as { webhook: { secret: string } };
  await fetch(`${url}/api/v1/webhooks/test`, { method: 'POST', headers }).catch(() => undefined);
  expect(await vedette.ended).toEqual({ code: null, signal: 'SIGKILL' });
  expect(receiver.received).toHaveLength(1);

  const again = runCrashable({ dataDir });
  const { url: newUrl } = await again.up;
  await receiver.arrived(2);
  const [first, second] = receiver.received;
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  verified(second as never, webhook.secret);
  const list = async () => {
    const answer = await fetch(`${newUrl}/api/v1/webhooks/deliveries`, { headers });
    return (await answer.json()) as Delivery[];
  };
  await vi.waitUntil(async () => (await list())[0]?.status === 'delivered', 10_000);
  expect(await list()).toMatchObject([{ attempts: 1 }]);
  expect(receiver.received).toHaveLength(2);
});
