import { expect, test } from 'vitest';
import type { Alert } from '../../server/alerts/schema.ts';
import type { Evaluation } from '../../server/evaluator/schema.ts';
import type { FaultPoint } from '../../server/platform/faults.ts';
import { KEY } from '../helpers/appliance.ts';
import { runCrashable } from '../helpers/child.ts';
import { monitored, QUARTER } from '../helpers/monitored.ts';
import { createRandom } from '../helpers/random.ts';
import { rounds } from '../helpers/soak.ts';
import { openReceiver } from '../webhooks/receiver.ts';
import type { Receiver } from '../webhooks/receiver.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { signIn } from '../helpers/tenant.ts';
import { setWebhook } from '../helpers/webhook.ts';

const RULES = 5;
/** Kills at moments drawn by lot. */
const ROUNDS = rounds(4, 12);
const headers = { 'x-api-key': KEY };

async function ask<T>(url: string, path: string): Promise<T> {
  const response = await fetch(`${url}/api/v1${path}`, { headers });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as T;
}

/** A data directory with rules that fire and a webhook, whose last cycle was a while ago. */
async function overdue(dataDir: string, receiver: Receiver): Promise<void> {
  const past = Math.floor(Date.now() / QUARTER) * QUARTER - 2 * QUARTER;
  const clock = { time: past, now: () => clock.time };
  await using vedette = await monitored({ dataDir, clock });
  await setWebhook(await signIn(vedette), { url: receiver.url, repeat_after_minutes: 0 });
  for (let n = 0; n < RULES; n++) {
    await vedette.rule('threshold', {
      ...{ event_type: 'error', operator: '>', value: n, window_minutes: 120, severity: 'info' },
    });
  }
  await vedette.nextQuarter();
  await vedette.send('error', RULES);
}

/** Waits for so many different messages; one may come twice, under the same id. */
async function heardOf(messages: number, receiver: Receiver): Promise<void> {
  const ids = () => new Set(receiver.received.map((one) => one.headers['webhook-id']));
  while (ids().size < messages) await receiver.arrived(receiver.received.length + 1);
}

async function found(url: string) {
  const [evaluations, alerts, deliveries] = await Promise.all([
    ask<Evaluation[]>(url, '/evaluations?limit=1000'),
    ask<Alert[]>(url, '/alerts?limit=1000'),
    ask<{ id: string; alert_id: string }[]>(url, '/webhooks/deliveries?limit=1000'),
  ]);
  const made = evaluations.reduce((sum, { alerts: count }) => sum + count, 0);
  return { evaluations, alerts, deliveries, made };
}

/** What must hold however often it was killed: an alert for each that a cycle says it made, and a message for each. */
async function consistent(url: string, receiver: Receiver) {
  // A cycle may come to its end between one list and the next.
  const missing = async () => {
    const { made, alerts, deliveries } = await found(url);
    return [made - alerts.length, made - deliveries.length];
  };
  await expect.poll(missing).toEqual([0, 0]);
  const { evaluations, alerts, deliveries } = await found(url);
  const ids = alerts.map(({ id }) => id).sort();
  expect(deliveries.map(({ alert_id }) => alert_id).sort()).toEqual(ids);

  await heardOf(alerts.length, receiver);
  const told = new Map(
    receiver.received.map(({ headers: { 'webhook-id': id }, body }) => [
      id,
      (JSON.parse(body) as { data: Alert }).data.id,
    ]),
  );
  expect([...told.values()].sort()).toEqual(ids);
  return { alerts, evaluations };
}

/** Each is behind the one before, so that a start gets further than the one that was killed. */
const POINTS: FaultPoint[] = ['cycle-judged', 'cycle-committed', 'delivery-sent'];

test('a kill at each point of a cycle makes no alert twice and loses neither an alert nor its delivery', async () => {
  const dataDir = tempDir();
  const receiver = await openReceiver();
  await overdue(dataDir, receiver);
  for (const point of POINTS) {
    const vedette = runCrashable({ dataDir, fault: { point } });
    expect(await vedette.ended, point).toEqual({ code: null, signal: 'SIGKILL' });
  }

  const again = runCrashable({ dataDir });
  const { url } = await again.up;
  await heardOf(RULES, receiver);
  const { alerts, evaluations } = await consistent(url, receiver);
  expect(new Set(alerts.map(({ rule_id }) => rule_id)).size).toBe(RULES);
  // One cycle was overdue; another may have fallen due while this test ran.
  const found = evaluations.filter(({ alerts: made }) => made > 0);
  expect(alerts).toHaveLength(RULES * found.length);
  const quarters = evaluations.map(({ evaluated_at: time }) => time);
  expect(new Set(quarters).size).toBe(quarters.length);
});

test('kills at any moment of a cycle leave all of it or nothing', async () => {
  const random = createRandom();
  const dataDir = tempDir();
  const receiver = await openReceiver();
  await overdue(dataDir, receiver);
  const answered: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const vedette = runCrashable({ dataDir });
    const { url } = await vedette.up;
    const dead = setTimeout(
      () => void vedette.end('SIGKILL'),
      random.whole(0, 60) + (round % 4) * 60,
    );
    for (;;) {
      const answer = await fetch(`${url}/api/v1/evaluations`, { method: 'POST', headers }).catch(
        () => undefined,
      );
      const made = (await answer?.json().catch(() => undefined)) as Evaluation | undefined;
      if (made === undefined) break;
      answered.push(made.id);
    }
    await vedette.ended;
    clearTimeout(dead);
  }
  const last = runCrashable({ dataDir });
  const { url } = await last.up;
  const { evaluations } = await consistent(url, receiver);
  const kept = new Set(evaluations.map(({ id }) => id));
  expect(
    answered.filter((id) => !kept.has(id)),
    `seed ${random.seed}`,
  ).toEqual([]);
});
