import { expect, it } from 'vitest';
import type { Alert } from '../../server/alerts/schema.ts';
import { createAlertListeners } from '../../server/alerts/listeners.ts';
import { anAlert } from '../helpers/alerts.ts';
import { monitored } from '../helpers/monitored.ts';

const TOO_MANY = {
  ...{ event_type: 'error', operator: '>', value: 2, window_minutes: 15 },
  severity: 'critical',
};

it('hears of the alerts of a cycle together, once they are listed, until it is taken away', async () => {
  await using vedette = await monitored();
  const heard: (readonly Alert[])[] = [];
  const stop = vedette.onAlert((alerts) => heard.push(alerts));
  await vedette.rule('threshold', TOO_MANY);
  await vedette.rule('threshold', TOO_MANY);
  await vedette.evaluate();
  expect(heard).toEqual([]);
  await vedette.send('error', 3);
  await vedette.evaluate();
  expect(heard).toHaveLength(1);
  const byId = (a: Alert, b: Alert) => a.id.localeCompare(b.id);
  expect([...(heard[0] ?? [])].sort(byId)).toEqual((await vedette.alerts()).sort(byId));
  stop();
  await vedette.evaluate();
  expect(heard).toHaveLength(1);
});

it('keeps neither the cycle nor the others from going on when it fails', async () => {
  const logged: string[] = [];
  const listeners = createAlertListeners({
    error: (fields: { err?: Error }) => logged.push(fields.err?.message ?? ''),
  } as never);
  const heard: string[] = [];
  listeners.add(() => {
    throw new Error('at once');
  });
  listeners.add(() => Promise.reject(new Error('later')));
  listeners.add((alerts) => heard.push(...alerts.map(({ id }) => id)));
  const alert = anAlert();
  listeners.tell([alert]);
  await new Promise(setImmediate);
  expect(heard).toEqual([alert.id]);
  expect(logged.sort()).toEqual(['at once', 'later']);
});
