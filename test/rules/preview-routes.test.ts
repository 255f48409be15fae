import { describe, expect, it } from 'vitest';
import type { Preview, RuleView, Verdict } from '../../server/rules/schema.ts';
import { MINUTE, monitored, monitoredTenant, QUARTER, START } from '../helpers/monitored.ts';
import { CONFIGS, rulesOfTenant } from './http-parts.ts';

type Found = Verdict & { timestamp: string | null };

describe('POST /api/v1/rules/preview', () => {
  it('shows what the cycles of the past have found', async () => {
    await using vedette = await monitoredTenant();
    const config = { event_type: 'purchase', severity: 'info', window_minutes: 30 };
    const rules = [
      await vedette.rule('threshold', { ...config, operator: '<', value: 3 }),
      await vedette.rule('threshold', { ...config, operator: '>=', value: 1, field: 'sum:value' }),
      await vedette.rule('missing_field', {
        ...{ event_type: 'purchase', required_fields: ['value'], severity: 'info' },
      }),
    ];
    const found = rules.map((): Found[] => []);
    for (const count of [0, 1, 2, 0, 4, 0]) {
      await vedette.pass(5 * MINUTE);
      await vedette.send('purchase', count, count === 4 ? {} : { value: 0.5 });
      await vedette.nextQuarter();
      for (const [i, { id }] of rules.entries()) {
        const view = (await vedette.call('GET', `/rules/${id}`)).json<RuleView>();
        found[i]?.push({ timestamp: view.last_evaluated_at, ...(view.last_verdict as Verdict) });
      }
    }
    for (const [i, { rule_type, config }] of rules.entries()) {
      const answer = await vedette.call('POST', '/rules/preview/', { rule_type, config, days: 1 });
      expect(answer.statusCode).toBe(200);
      // With one cycle in a row, what fires makes an alert.
      const alerting = found[i]?.map((point) => ({ ...point, alert: point.state === 'fires' }));
      expect(answer.json<Preview>().points.slice(-6)).toEqual(alerting);
    }
  });

  it('sees an event that was received just before it', async () => {
    await using vedette = await monitoredTenant();
    await vedette.pass(QUARTER - 1);
    await vedette.send('purchase');
    await vedette.pass(1);
    const config = { ...CONFIGS.threshold, operator: '>', value: 0 };
    const answer = await vedette.call('POST', '/rules/preview', { rule_type: 'threshold', config });
    expect(answer.json<Preview>().points.at(-1)?.value).toBe(1);
  });

  it('with until looks back from then, on the same points, and no further than it listened', async () => {
    await using vedette = await monitored();
    const DAY = 24 * 60 * MINUTE;
    const iso = (time: number) => new Date(time).toISOString();
    const config = { ...CONFIGS.threshold, operator: '>', value: 0 };
    const run = async (until?: string) => {
      const body = { rule_type: 'threshold', config, days: 1, ...(until && { until }) };
      return (await vedette.call('POST', '/rules/preview', body)).json<Preview>();
    };
    await vedette.send(config.event_type);
    await vedette.pass(45 * MINUTE);
    const end = vedette.clock.time;
    const all = await run();
    expect(all.points).toHaveLength(3);

    const then = START + 2 * QUARTER + 7 * MINUTE;
    const early = await run(iso(then));
    expect(early).toMatchObject({ from: all.from, to: iso(START + 2 * QUARTER) });
    expect(early.points).toEqual(all.points.slice(0, 2));
    expect(await run(iso(then + 60 * MINUTE).replace('Z', '+01:00'))).toEqual(early);
    // What is to come is taken for now.
    expect(await run(iso(end + DAY))).toEqual(all);
    for (const until of [iso(START - DAY), '0001-01-01T00:00:00Z']) {
      expect(await run(until)).toMatchObject({ fired: 0, skipped: 0, points: [] });
    }
    vedette.clock.time += 3 * DAY;
    await vedette.wake();
    expect((await run(iso(end))).points).toEqual(all.points);
  });

  it('looks back 30 days unless said otherwise, and makes no rule', async () => {
    await using vedette = await monitored();
    const body = { rule_type: 'threshold', config: CONFIGS.threshold };
    expect((await vedette.call('POST', '/rules/preview', body)).json()).toMatchObject({
      ...{ fired: 0, skipped: 0, fired_a_day: 0, points: [] },
    });
    expect((await vedette.call('GET', '/rules')).json()).toEqual([]);
  });

  it('refuses what is no draft', async () => {
    const rules = await rulesOfTenant();
    const draft = { rule_type: 'threshold', config: CONFIGS.threshold };
    const refused = (more: object) => rules.refusals({ ...draft, ...more }, 'POST', '/preview');
    expect(await refused({ days: 0 })).toEqual(['days: must be at least 1']);
    expect(await refused({ days: 91 })).toEqual(['days: must be at most 90']);
    expect(await refused({ days: 1.5 })).toEqual(['days: must be a whole number']);
    expect(await refused({ rule_type: 'x' })).toEqual([
      'rule_type: must be one of threshold, missing_field, volume',
    ]);
    expect(await refused({ config: { ...CONFIGS.threshold, window_minutes: 0 } })).toEqual([
      'config.window_minutes: must be more than 0',
    ]);
    expect(await refused({ until: 'yesterday' })).toEqual([expect.stringMatching(/^until: /)]);
    expect(await refused({ colour: 'red' })).toEqual(['colour: is not known here']);
    expect(await refused({ days: 90 })).toEqual(['200']);
  });

  it.each([
    ['a type that no event can have', { event_type: '\ud800' }, [200, 422]],
    ['numbers that add up to no number', { field: 'sum:value' }, [200]],
  ])('answers about %s', async (_of, change, statuses) => {
    await using vedette = await monitoredTenant();
    await vedette.send('purchase', 2, { value: 1e308 });
    await vedette.pass(QUARTER);
    const config = { ...CONFIGS.threshold, ...change };
    const answer = await vedette.call('POST', '/rules/preview', { rule_type: 'threshold', config });
    expect(statuses).toContain(answer.statusCode);
  });
});
