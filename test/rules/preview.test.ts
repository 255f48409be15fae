import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge, questionsOf } from '../../server/rules/evaluate.ts';
import type { Judged } from '../../server/rules/evaluate.ts';
import type { Preview } from '../../server/rules/schema.ts';
import { asking } from '../../server/platform/asker.ts';
import { problems } from '../../server/platform/errors.ts';
import { verdictOf } from '../../server/rules/verdict.ts';
import { rounds } from '../helpers/soak.ts';
import { DAY, HOUR, MINUTE, missingField, NOON, threshold, volume } from './parts.ts';
import { openPreview, QUARTER } from './preview-parts.ts';

const iso = (time: number) => new Date(time).toISOString();
/** How often each state came, and how many alerts. */
const tally = ({ points }: Preview) => ({
  fires: points.filter(({ state }) => state === 'fires').length,
  quiet: points.filter(({ state }) => state === 'quiet').length,
  skipped: points.filter(({ state }) => state === 'skipped').length,
  alerts: points.filter(({ alert }) => alert).length,
});

describe('the preview of a rule', () => {
  it('has a point for each cycle of the days that it looks back', async () => {
    const { run } = await openPreview();
    for (const days of [1, 2, 30]) {
      const { points, from, to } = await run(threshold(), { days, now: NOON + QUARTER - 1 });
      expect([from, to]).toEqual([iso(NOON - days * DAY), iso(NOON)]);
      expect(points).toHaveLength(days * 96);
      expect(points[0]?.timestamp).toBe(iso(NOON - days * DAY + QUARTER));
      expect(points.at(-1)?.timestamp).toBe(iso(NOON));
    }
  });

  it('has the cycle of a quarter from its first moment on', async () => {
    const { run } = await openPreview();
    expect((await run(threshold(), { now: NOON - 1 })).to).toBe(iso(NOON - QUARTER));
    expect((await run(threshold(), { now: NOON })).to).toBe(iso(NOON));
  });

  it('looks back no further than events are kept', async () => {
    const { run } = await openPreview({ retentionDays: 2 });
    const { points, from } = await run(threshold(), { days: 30 });
    expect([from, points.length]).toEqual([iso(NOON - 2 * DAY), 192]);
    expect((await run(threshold(), { days: 1 })).points).toHaveLength(96);
  });

  it('says nothing about the time before there was a collector', async () => {
    const { run, heard } = await openPreview();
    heard.listening = [{ from: NOON - 2 * HOUR, to: NOON }];
    const { points, from, fired_a_day } = await run(threshold({ operator: '<', value: 1 }));
    expect(from).toBe(iso(NOON - 2 * HOUR));
    // Before an hour of listening is full, it cannot be judged.
    expect(points.map(({ state }) => state)).toEqual([
      ...Array<string>(3).fill('skipped'),
      ...Array<string>(5).fill('fires'),
    ]);
    expect(fired_a_day).toBe(60);
  });

  it('begins with the first cycle that the collector was there for', async () => {
    const { run, heard } = await openPreview();
    heard.listening = [{ from: NOON - 14 * MINUTE, to: NOON }];
    const { from, points } = await run(threshold({ operator: '>', value: -1 }));
    expect(from).toBe(iso(NOON - 14 * MINUTE));
    expect(points).toMatchObject([{ timestamp: iso(NOON), state: 'fires' }]);
  });

  it('has no point when nobody has listened yet', async () => {
    const { run, heard } = await openPreview();
    heard.listening = [];
    expect(await run(threshold())).toEqual({
      ...{ from: iso(NOON), to: iso(NOON), points: [] },
      ...{ fired: 0, skipped: 0, fired_a_day: 0 },
    });
  });

  it('follows a rule on very many fields less far back, and judges it', async () => {
    const { run, receive } = await openPreview();
    await receive([{ at: NOON - HOUR, data: '{"f7":1}' }]);
    const required_fields = Array.from({ length: 50 }, (_, n) => `f${n}`);
    const { points } = await run(missingField({ required_fields }), { days: 90 });
    expect(points.length).toBeGreaterThan(500);
    expect(points.length).toBeLessThan(96 * 30);
    const found = points.filter(({ message }) => message !== 'no purchase events to look at');
    expect(found).toMatchObject([{ state: 'fires', value: 1 }]);
  });

  it('that ends in the past begins no earlier than events are kept from now', async () => {
    const { run } = await openPreview({ retentionDays: 3 });
    const rule = threshold({ operator: '>', value: -1 });
    const { from, to, points } = await run(rule, { days: 10, until: iso(NOON - 2 * DAY + 1) });
    expect([from, to]).toEqual([iso(NOON - 3 * DAY), iso(NOON - 2 * DAY)]);
    expect(points).toHaveLength(96);
    expect((await run(rule, { until: iso(NOON - 4 * DAY) })).points).toEqual([]);
  });

  it('ends once nobody waits for it, also while it waits for another', async () => {
    const { run, flushes } = await openPreview();
    const left = new AbortController();
    const asked = Array.from({ length: 3 }, () =>
      asking({ owner: 'me', signal: left.signal }, () => run(threshold(), { days: 30 })).catch(
        (error: unknown) => String(error),
      ),
    );
    left.abort(problems.nobodyWaits());
    expect(new Set(await Promise.all(asked))).toEqual(
      new Set(['Error: Nobody waits for this answer any more']),
    );
    expect(flushes()).toBeLessThan(2);
  });

  it('sees everything that was received before it', async () => {
    const { run, flushes } = await openPreview();
    await run(threshold());
    expect(flushes()).toBe(1);
  });

  it('shows value and message of each cycle, and how often it fires a day', async () => {
    const { run, receive } = await openPreview();
    await receive([1, 2, 3].map((ms) => ({ at: NOON - 20 * MINUTE + ms })));
    const rule = threshold({ operator: '>=', value: 3, window_minutes: 30 });
    const preview = await run(rule, { days: 2 });
    expect(preview.points.slice(-3)).toEqual([
      { ...quiet(0), timestamp: iso(NOON - 2 * QUARTER) },
      ...[NOON - QUARTER, NOON].map((time) => ({
        ...{ timestamp: iso(time), state: 'fires', value: 3, expected: null, alert: true },
        message: 'Threshold exceeded: 3 >= 3 in 30 min window',
      })),
    ]);
    expect(preview).toMatchObject({ fired: 2, skipped: 0, fired_a_day: 1 });
  });

  it('alerts only after so many cycles in a row', async () => {
    const { run, receive } = await openPreview();
    await receive([{ at: NOON - DAY + 3 * HOUR }]);
    const rule = (consecutive: number) =>
      threshold({ operator: '<', value: 1, window_minutes: 15, consecutive });
    expect(tally(await run(rule(1)))).toMatchObject({ fires: 95, quiet: 1, alerts: 95 });
    // The 12 cycles before the event and the 83 after it begin anew.
    const { points, fired } = await run(rule(4));
    expect(points.filter(({ alert }) => alert)).toHaveLength(95 - 3 - 3);
    expect(fired).toBe(89);
    expect(tally(await run(rule(100))).alerts).toBe(0);
  });

  it('skips the cycles in which the collector was off, and goes on counting behind them', async () => {
    const { run, heard } = await openPreview();
    heard.listening = [
      { from: 0, to: NOON - 6 * HOUR },
      { from: NOON - 5 * HOUR, to: NOON },
    ];
    const silent = (more: object = {}) =>
      threshold({ operator: '<', value: 1, window_minutes: 15, ...more });
    const once = await run(silent());
    expect(tally(once)).toEqual({ fires: 92, quiet: 0, skipped: 4, alerts: 92 });
    expect(once.skipped).toBe(4);
    const skipped = once.points.filter(({ state }) => state === 'skipped');
    expect(skipped[0]).toMatchObject({
      timestamp: iso(NOON - 6 * HOUR + QUARTER),
      message: 'collector was offline 07:00–07:15',
    });
    expect(tally(await run(silent({ consecutive: 5 }))).alerts).toBe(92 - 4);
    const loud = await run(threshold({ operator: '>', value: 0, window_minutes: 15 }));
    expect(tally(loud)).toEqual({ fires: 0, quiet: 92, skipped: 4, alerts: 0 });
  });

  it('knows only the events of its tenant', async () => {
    const { run, receive } = await openPreview();
    await receive([{ at: NOON - 1, tenant: 'other' }]);
    expect(tally(await run(threshold({ operator: '>', value: 0 }))).fires).toBe(0);
  });
});

const quiet = (value: number) =>
  ({ state: 'quiet', value, expected: null, message: null, alert: false }) as const;

describe('the points of a preview', () => {
  const rules = [
    threshold({ operator: '<', value: 2, consecutive: 3 }),
    threshold({ operator: '>', value: 3, window_minutes: 15, source: 'shop' }),
    threshold({ operator: '==', value: 0, window_minutes: 0.5 }),
    threshold({ field: 'sum:v', operator: '>=', value: 5, window_minutes: 45 }),
    threshold({ field: 'avg:v', operator: '<', value: 2, window_minutes: 20.5 }),
    threshold({ field: 'unique:v', operator: '>', value: 2, window_minutes: 120 }),
    missingField({ required_fields: ['v', 'a.b'], consecutive: 2 }),
    volume({ comparison_window_hours: 2, current_window_minutes: 30, min_baseline_events: 1 }),
    volume({ baseline: 'previous', threshold_percent: 50, comparison_window_hours: 1.5 }),
    volume({ baseline: 'seasonal', min_baseline_events: 0 }),
  ];
  const data = ['{"v":1}', '{"v":2,"a":{"b":1}}', '{"v":"3"}', '{"v":null}', '{"a.b":0}', '{}'];
  const event = fc.record({
    at: fc
      .tuple(fc.nat({ max: 3 * 24 * 60 }), fc.constantFrom(0, 0, 1, -1, 30_000))
      .map(([minute, ms]) => NOON - minute * MINUTE + ms),
    source: fc.constantFrom('shop', 'web'),
    data: fc.constantFrom(...data),
  });
  const pause = fc.tuple(fc.nat({ max: 24 * 60 }), fc.integer({ min: 1, max: 200 }));

  it('are what each cycle by itself would have found', async () => {
    const { run, receive, answer, heard, cycles } = await openPreview();
    let tenants = 0;
    const stands = (chosen: Judged) =>
      fc.asyncProperty(
        fc.array(event, { maxLength: 150 }),
        fc.option(pause, { nil: undefined }),
        async (events, pause) => {
          const tenant_id = `t${++tenants}`;
          const rule = { ...chosen, tenant_id };
          await receive(events.map((one) => ({ ...one, tenant: tenant_id })));
          const [ago, length] = pause ?? [0, 0];
          const off = NOON - ago * MINUTE;
          heard.listening = [
            { from: NOON - 40 * DAY, to: off },
            { from: off + length * MINUTE, to: NOON + DAY },
          ];
          const { points, fired, skipped } = await run(rule);
          const moments = cycles(NOON - DAY, NOON);
          // Not at once, as the preview asks, but as each cycle would have.
          const alone = moments.filter((_, i) => i % 12 === tenants % 12);
          for (const moment of alone) {
            const found = judge(rule, moment, await answer(questionsOf(rule, moment)));
            const point = points.find(({ timestamp }) => timestamp === iso(moment.at));
            expect(point).toMatchObject(verdictOf(found));
          }
          const { consecutive } = rule.config;
          const inARow = points.map(({ state }, i) => {
            const judged = points.slice(0, i + 1).filter((point) => point.state !== 'skipped');
            const before = judged.slice(-consecutive);
            return state === 'fires' && before.length === consecutive && before.every(isFiring);
          });
          expect(points.map(({ alert }) => alert)).toEqual(inARow);
          expect(fired).toBe(inARow.filter(Boolean).length);
          expect(skipped).toBe(points.filter(({ state }) => state === 'skipped').length);
        },
      );
    for (const rule of rules) await fc.assert(stands(rule), { numRuns: rounds(2, 10) });
  });
});

const isFiring = ({ state }: { state: string }) => state === 'fires';
