import { expect, it } from 'vitest';
import type { Database } from '../../server/platform/database.ts';
import { LANE } from '../../server/webhooks/deliverer.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { SECOND, webhookParts } from './parts.ts';
import { openReceiver } from './receiver.ts';

it('a receiver that hangs delays nobody else, and gets no more than its lane at once', async () => {
  const parts = await webhookParts();
  const [hanging, quick] = [await openReceiver('hang'), await openReceiver()];
  const input = { name: 'Other', retention_days: 90, rollup_retention_days: 400, max_names: 2000 };
  const other = await parts.tenants.create(input, parts.clock.time);
  await parts.setUp({ url: hanging.url });
  await parts.setUp({ url: quick.url }, other.id);
  parts.deliverer.start();
  await parts.raise(...Array.from({ length: 10 }, () => ({})));
  await hanging.arrived(LANE);
  // Those that wait in the other lane are the older ones.
  parts.advance(SECOND);
  await parts.raise({ tenantId: other.id }, { tenantId: other.id });
  await quick.arrived(2);
  expect(hanging.received).toHaveLength(LANE);
});

it('a lane goes on by itself as long as something is due', async () => {
  const parts = await webhookParts();
  const receiver = await openReceiver();
  await parts.setUp({ url: receiver.url });
  await parts.raise(...Array.from({ length: 3 * LANE }, () => ({})));
  parts.deliverer.start();
  await receiver.arrived(3 * LANE);
});

it('closing leaves pending what was under way, and does not wait for it', async () => {
  // Whoever waits for the answer waits longer than a test may take.
  const parts = await webhookParts({ dir: tempDir(), timeoutMs: 600_000 });
  const receiver = await openReceiver('hang');
  const secret = await parts.setUp({ url: receiver.url });
  parts.deliverer.start();
  await parts.raise();
  await receiver.arrived(1);
  await parts.deliverer.close();
  expect(await parts.only()).toMatchObject({ status: 'pending', attempts: 0 });
  // Nothing begins after that.
  parts.outbox.wake();
  await parts.deliverer.deliverDue();
  expect(receiver.received).toHaveLength(1);

  await parts.close();
  receiver.answers(204);
  const again = await webhookParts({ dir: parts.dir });
  again.deliverer.start();
  await receiver.arrived(2);
  await again.deliverer.deliverDue();
  expect(await again.only()).toMatchObject({ status: 'delivered', attempts: 1 });
  const [first, second] = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(second).toBe(first);
  for (const request of receiver.received) parts.verified(request, secret);
});

it('a result that the database does not take is written later, and nothing is sent twice', async () => {
  let full = false;
  const through = (database: Database): Database => ({
    ...database,
    write: (work) => (full ? Promise.reject(new Error('disk full')) : database.write(work)),
  });
  const parts = await webhookParts({ through });
  const receiver = await openReceiver();
  await parts.setUp({ url: receiver.url });
  await parts.raise();
  full = true;
  await parts.deliverer.deliverDue();
  parts.advance(60 * SECOND);
  await parts.deliverer.deliverDue();
  expect(await parts.only()).toMatchObject({ status: 'pending', attempts: 0 });
  expect(receiver.received).toHaveLength(1);
  full = false;
  await parts.deliverer.deliverDue();
  expect(await parts.only()).toMatchObject({ status: 'delivered', attempts: 1 });
  expect(receiver.received).toHaveLength(1);
});

it('a database that cannot be read stops nothing for good', async () => {
  let broken = true;
  const through = (database: Database): Database => ({
    ...database,
    read: (work) => (broken ? Promise.reject(new Error('broken')) : database.read(work)),
  });
  const parts = await webhookParts({ through });
  const receiver = await openReceiver();
  await parts.setUp({ url: receiver.url });
  parts.deliverer.start();
  await parts.raise();
  await parts.deliverer.deliverDue();
  expect(receiver.received).toEqual([]);
  broken = false;
  parts.outbox.wake();
  await receiver.arrived(1);
});

it('a delivery that is due later is sent by itself when its time has come', async () => {
  const parts = await webhookParts();
  const receiver = await openReceiver(500);
  await parts.setUp({ url: receiver.url });
  await parts.raise();
  await parts.deliverer.deliverDue();
  parts.advance(5 * SECOND - 20);
  parts.deliverer.start();
  await parts.deliverer.deliverDue();
  expect(receiver.received).toHaveLength(1);
  // The timer was set for the rest of the pause; the clock of the test stands still meanwhile.
  parts.clock.time += 20;
  await receiver.arrived(2);
});
