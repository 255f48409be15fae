import { expect, it, vi } from 'vitest';
import type { Delivery } from '../../server/webhooks/schema.ts';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import { runCrashable } from '../helpers/child.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { signIn } from '../helpers/tenant.ts';
import { setWebhook } from '../helpers/webhook.ts';
import { openReceiver, verified } from './receiver.ts';

it('a kill between the answer and its note sends again under the same id, once', async () => {
  const dataDir = tempDir();
  const receiver = await openReceiver();
  let secret: string;
  {
    await using before = await startAppliance({ dataDir });
    secret = await setWebhook(await signIn(before), { url: receiver.url });
  }
  const vedette = runCrashable({ dataDir, fault: { point: 'delivery-sent' } });
  const { url } = await vedette.up;
  const headers = { 'x-api-key': KEY };
  await fetch(`${url}/api/v1/webhooks/test`, { method: 'POST', headers }).catch(() => undefined);
  expect(await vedette.ended).toEqual({ code: null, signal: 'SIGKILL' });
  expect(receiver.received).toHaveLength(1);

  const again = runCrashable({ dataDir });
  const { url: newUrl } = await again.up;
  await receiver.arrived(2);
  const [first, second] = receiver.received;
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  verified(second as never, secret);
  const list = async () => {
    const answer = await fetch(`${newUrl}/api/v1/webhooks/deliveries`, { headers });
    return (await answer.json()) as Delivery[];
  };
  await vi.waitUntil(async () => (await list())[0]?.status === 'delivered', 10_000);
  expect(await list()).toMatchObject([{ attempts: 1 }]);
  expect(receiver.received).toHaveLength(2);
});
