import { describe, expect, it } from 'vitest';
import type { Preview, RuleView, Verdict } from '../../server/rules/schema.ts';
import { MINUTE, monitored, QUARTER, START } from '../helpers/monitored.ts';
import { CONFIGS, startRules } from './http-parts.ts';

type Found = Verdict & { timestamp: string | null };

describe('POST /api/v1/rules/preview', () => {
  it('shows what the cycles of the past have found', async () => {
    await using vedette = await monitored();
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
      expect(answer.json<Preview>().points).toEqual(alerting);
    }
  });

  it('sees an event that was received just before it', async () => {
    await using vedette = await monitored();
    await vedette.pass(QUARTER - 1);
    await vedette.send('purchase');
    await vedette.pass(1);
    const config = { ...CONFIGS.threshold, operator: '>', value: 0 };
    const answer = await vedette.call('POST', '/rules/preview', { rule_type: 'threshold', config });
    expect(answer.json<Preview>().points.map(({ value }) => value)).toEqual([1]);
  });

  describe('with until', () => {
    const DAY = 24 * 60 * MINUTE;
    const config = { ...CONFIGS.threshold, operator: '>', value: 0 };

    /** Four hours with an event in each, and how to ask about them. */
    async function heard() {
      const vedette = await monitored();
      for (let i = 0; i < 4; i++) {
        await vedette.send(config.event_type);
        await vedette.pass(60 * MINUTE);
      }
      const end = vedette.clock.time;
      const run = async (until?: string, days = 1) => {
        const body = { rule_type: 'threshold', config, days, ...(until && { until }) };
        return (await vedette.call('POST', '/rules/preview', body)).json<Preview>();
      };
      return { ...vedette, run, end };
    }

    it('looks back from then, on the same points', async () => {
      await using vedette = await heard();
      const { run, end } = vedette;
      const all = await run();
      const then = START + 2 * 60 * MINUTE + 7 * MINUTE;
      const last = new Date(START + 2 * 60 * MINUTE).toISOString();
      const early = await run(new Date(then).toISOString());
      expect(early).toMatchObject({ from: all.from, to: last });
      expect(early.points).toEqual(all.points.slice(0, 8));
      const shifted = new Date(then + 60 * MINUTE).toISOString().replace('Z', '+01:00');
      expect(await run(shifted)).toEqual(early);
      vedette.clock.time += 3 * DAY;
      await vedette.wake();
      const later = await run(new Date(end).toISOString());
      expect(later.points).toEqual(all.points);
    });

    it('takes what is to come for now, and has nothing from before it listened', async () => {
      await using vedette = await heard();
      const { run, end } = vedette;
      expect(await run(new Date(end + DAY).toISOString())).toEqual(await run());
      for (const until of [new Date(START - DAY).toISOString(), '0001-01-01T00:00:00Z']) {
        expect(await run(until)).toMatchObject({ fired: 0, skipped: 0, points: [] });
      }
    });
  });

  it('looks back 30 days unless said otherwise, and makes no rule', async () => {
    await using rules = await startRules();
    const body = { rule_type: 'threshold', config: CONFIGS.threshold };
    expect((await rules.ask('POST', '/preview', body)).json()).toMatchObject({
      ...{ fired: 0, skipped: 0, fired_a_day: 0, points: [] },
    });
    expect(await rules.names()).toEqual([]);
  });

  it('refuses what is no draft', async () => {
    await using rules = await startRules();
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

  it('of a type that no event can have finds nothing, or is refused', async () => {
    await using vedette = await monitored();
    await vedette.pass(QUARTER);
    const answer = await vedette.call('POST', '/rules/preview', {
      rule_type: 'threshold',
      config: { ...CONFIGS.threshold, event_type: '\ud800' },
    });
    expect([200, 422]).toContain(answer.statusCode);
  });

  it('answers though events carry numbers that add up to no number', async () => {
    await using vedette = await monitored();
    await vedette.send('purchase', 2, { value: 1e308 });
    await vedette.pass(QUARTER);
    const answer = await vedette.call('POST', '/rules/preview', {
      rule_type: 'threshold',
      config: { ...CONFIGS.threshold, field: 'sum:value' },
    });
    expect(answer.statusCode).toBe(200);
  });
});
