import { expect, it } from 'vitest';
import { NAMES } from '../../server/platform/bounds.ts';
import { listOf, pixelOf, waitsBeside } from '../helpers/neighbour.ts';
import { freshTenant } from '../helpers/tenant.ts';
import type { TestTenant } from '../helpers/tenant.ts';

const BATCHES = 4;
const BATCH = 10_000;
const LISTS = [
  '/events/types',
  '/events/sources',
  '/events/counts',
  '/events/counts?time_range=1h',
];

const purchases = (count: number) =>
  Array.from({ length: count }, () => ({ source: 'late', event_type: 'late', data: {} }));

/** Each with a type of its own, as long as one can be that is counted by name; and its lists read. */
async function madeUp({ post, get }: TestTenant): Promise<number> {
  let largest = 0;
  for (let batch = 0; batch < BATCHES; batch++) {
    const events = Array.from({ length: BATCH }, (_, i) => ({
      ...{ source: 'made-up', event_type: `${batch * BATCH + i}-`.padEnd(100, 'x'), data: {} },
    }));
    await post(events);
    for (const path of LISTS) largest = Math.max(largest, (await get(path)).body.length);
  }
  return largest;
}

it('made-up types leave lists small, rules true and neighbours alone', async () => {
  const [tenant, neighbour] = [await freshTenant(), await freshTenant()];
  await neighbour.post(purchases(10));
  const askers = [pixelOf(neighbour), listOf(neighbour)];
  let asked = 0;
  let largest = 0;
  const { calm, attacked } = await waitsBeside(
    () => (askers[asked++ % 2] ?? pixelOf(neighbour))(),
    async () => (largest = await madeUp(tenant)),
  );
  expect(attacked.refused).toEqual([]);
  expect(attacked.count).toBeGreaterThan(2);
  expect(attacked.worst, `${calm.worst} ms when calm`).toBeLessThan(1000);
  expect((await tenant.get('/events/types')).json()).toHaveLength(NAMES);
  expect(largest).toBeLessThan(NAMES * 400);

  const rule = (operator: string, value: number) =>
    tenant.call('POST', '/rules', {
      ...{ name: `${operator} ${value}`, rule_type: 'threshold' },
      config: { event_type: 'late', operator, value, window_minutes: 60, severity: 'critical' },
    });
  await tenant.post(purchases(7));
  await rule('>', 6);
  await rule('>', 7);
  await tenant.call('POST', '/evaluations');
  const alerts = (await tenant.get('/alerts')).json<{ message: string }[]>();
  expect(alerts.map(({ message }) => message)).toEqual([
    'Threshold exceeded: 7 > 6 in 60 min window',
  ]);
});
