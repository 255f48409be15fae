import { describe, expect, it } from 'vitest';
import { MINUTE, monitored, monitoredTenant, QUARTER, START } from '../helpers/monitored.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const SILENCE = {
  event_type: 'purchase',
  operator: '<',
  value: 1,
  window_minutes: 30,
  severity: 'critical',
};
const DROP = {
  event_type: 'purchase',
  threshold_percent: -50,
  current_window_minutes: 15,
  comparison_window_hours: 1,
  severity: 'warning',
};

describe('a collector that was off', () => {
  it('raises no alert about silence when the machine wakes up', async () => {
    await using vedette = await monitoredTenant();
    await vedette.rule('threshold', SILENCE);
    await vedette.rule('volume', DROP);
    for (let quarter = 0; quarter < 6; quarter++) {
      await vedette.send('purchase', 20);
      await vedette.nextQuarter();
    }
    vedette.clock.time += 51 * MINUTE;
    for (let quarter = 0; quarter < 3; quarter++) {
      await vedette.nextQuarter();
      await vedette.send('purchase', 20);
    }
    expect(await vedette.alerts()).toEqual([]);
    const reasons = (await vedette.evaluations()).flatMap(({ skipped }) => skipped);
    expect(reasons[0]?.reason).toMatch(/^collector was offline \d\d:\d\d–\d\d:\d\d/);
  });

  it('raises none when it was stopped and started again', async () => {
    const dataDir = tempDir();
    const clock = { time: START, now: () => clock.time };
    {
      await using vedette = await monitored({ dataDir, clock });
      await vedette.rule('threshold', SILENCE);
      await vedette.pass(45 * MINUTE + 1000);
    }
    const before = clock.time;
    clock.time += 30 * MINUTE;
    await using vedette = await monitored({ dataDir, clock });
    await vedette.wake();
    await vedette.nextQuarter();
    const later = (await vedette.evaluations()).filter(
      ({ started_at }) => Date.parse(started_at) > before,
    );
    expect(later.length).toBeGreaterThan(1);
    for (const { fired, skipped } of later) expect([fired, skipped.length]).toEqual([0, 1]);
  });

  it('does not hide silence once it has listened for the whole window', async () => {
    await using vedette = await monitoredTenant();
    await vedette.rule('threshold', SILENCE);
    await vedette.pass(24 * MINUTE + 1000);
    expect(await vedette.alerts()).toEqual([]);
    await vedette.nextQuarter();
    expect(await vedette.alerts()).toHaveLength(1);
  });

  it('hides no rule that fires on too much', async () => {
    await using vedette = await monitoredTenant();
    await vedette.rule('threshold', { ...SILENCE, operator: '>=', value: 3 });
    await vedette.send('purchase', 3);
    vedette.clock.time += QUARTER + 1000;
    await vedette.wake();
    expect(await vedette.alerts()).toHaveLength(1);
  });

  it('makes no rise out of a baseline that it slept through', async () => {
    await using vedette = await monitoredTenant();
    await vedette.rule('volume', { ...DROP, threshold_percent: 100 });
    for (const [quarters, asleep] of [
      [5, 60 * MINUTE],
      [2, 0],
    ] as const) {
      for (let quarter = 0; quarter < quarters; quarter++) {
        await vedette.send('purchase', 20);
        await vedette.nextQuarter();
      }
      vedette.clock.time += asleep;
    }
    expect(await vedette.alerts()).toEqual([]);
    const [last] = await vedette.evaluations();
    expect(last).toMatchObject({ fired: 0, skipped: [{ rule_name: 'A volume' }] });
  });
});
