import { describe, expect, it, onTestFinished } from 'vitest';
import type { Alert } from '../../server/alerts/schema.ts';
import { createAlertListeners } from '../../server/alerts/listeners.ts';
import type { AlertNews } from '../../server/alerts/listeners.ts';
import { anAlert } from '../helpers/alerts.ts';
import { MINUTE, monitoredTenant } from '../helpers/monitored.ts';
import type { MonitoredTenant } from '../helpers/monitored.ts';

const TOO_MANY = {
  ...{ event_type: 'error', operator: '>', value: 2, window_minutes: 15 },
  severity: 'critical',
};

/** For each batch of news, which of its alerts begin. */
function beginnings({ onAlert }: MonitoredTenant): boolean[][] {
  const heard: boolean[][] = [];
  onTestFinished(onAlert((news) => heard.push(news.map(({ begins }) => begins))));
  return heard;
}

describe('news of alerts', () => {
  it('come for a cycle together, once they are listed, until the listener is taken away', async () => {
    await using vedette = await monitoredTenant();
    const heard: (readonly AlertNews[])[] = [];
    const stop = vedette.onAlert((news) => heard.push(news));
    await vedette.rule('threshold', TOO_MANY);
    await vedette.rule('threshold', TOO_MANY);
    await vedette.evaluate();
    expect(heard).toEqual([]);
    await vedette.send('error', 3);
    await vedette.evaluate();
    expect(heard).toHaveLength(1);
    const byId = (a: Alert, b: Alert) => a.id.localeCompare(b.id);
    const alerts = heard[0]?.map(({ alert }) => alert) ?? [];
    expect(alerts.sort(byId)).toEqual((await vedette.alerts()).sort(byId));
    stop();
    await vedette.evaluate();
    expect(heard).toHaveLength(1);
  });

  it('name the tenant whose alert it is', async () => {
    await using vedette = await monitoredTenant();
    const heard: string[] = [];
    onTestFinished(vedette.onAlert((news) => heard.push(...news.map(({ tenantId }) => tenantId))));
    await vedette.rule('threshold', TOO_MANY);
    await vedette.send('error', 3);
    await vedette.evaluate();
    expect(heard).toEqual([vedette.id]);
  });

  it('begin with the first alert, and anew when the rule was quiet in between', async () => {
    await using vedette = await monitoredTenant();
    const heard = beginnings(vedette);
    await vedette.rule('threshold', TOO_MANY);
    await vedette.send('error', 3);
    await vedette.evaluate();
    await vedette.evaluate();
    expect(heard).toEqual([[true], [false]]);
    await vedette.pass(20 * MINUTE);
    expect(await vedette.evaluate()).toMatchObject({ rules: 1, fired: 0 });
    heard.length = 0;
    await vedette.send('error', 3);
    await vedette.evaluate();
    expect(heard).toEqual([[true]]);
  });

  it('begin at the cycle that completes the row', async () => {
    await using vedette = await monitoredTenant();
    const heard = beginnings(vedette);
    await vedette.rule('threshold', { ...TOO_MANY, consecutive: 2 });
    await vedette.send('error', 3);
    for (let n = 0; n < 4; n++) await vedette.evaluate();
    expect(heard).toEqual([[true], [false], [false]]);
  });

  it('begin anew for a rule that was changed', async () => {
    await using vedette = await monitoredTenant();
    const heard = beginnings(vedette);
    const { id } = await vedette.rule('threshold', TOO_MANY);
    await vedette.send('error', 3);
    await vedette.evaluate();
    vedette.clock.time += 1;
    await vedette.call('PATCH', `/rules/${id}`, { config: { ...TOO_MANY, value: 1 } });
    await vedette.evaluate();
    await vedette.call('PATCH', `/rules/${id}`, { name: 'Another name' });
    await vedette.evaluate();
    expect(heard).toEqual([[true], [true], [false]]);
  });
});

it('a listener that fails keeps neither the cycle nor the others from going on', async () => {
  const logged: string[] = [];
  const listeners = createAlertListeners({
    error: (fields: { err?: Error }) => logged.push(fields.err?.message ?? ''),
  } as never);
  const heard: string[] = [];
  for (const listen of [listeners.onAlert, listeners.onChanged]) {
    listen(() => {
      throw new Error('at once');
    });
    listen(() => Promise.reject(new Error('later')));
  }
  listeners.onAlert((news) => heard.push(...news.map(({ alert }) => alert.id)));
  listeners.onChanged(() => heard.push('changed'));
  const alert = anAlert();
  listeners.made([{ tenantId: 'tenant', alert, begins: true }]);
  await new Promise(setImmediate);
  expect(heard).toEqual([alert.id, 'changed']);
  expect(logged.sort()).toEqual(['at once', 'at once', 'later', 'later']);
});

it('one that listens twice hears twice, and leaves once', () => {
  const listeners = createAlertListeners({ error: () => undefined });
  let heard = 0;
  const listener = () => heard++;
  const stop = listeners.onChanged(listener);
  listeners.onChanged(listener);
  listeners.changed();
  expect(heard).toBe(2);
  stop();
  stop();
  listeners.changed();
  expect(heard).toBe(3);
});
