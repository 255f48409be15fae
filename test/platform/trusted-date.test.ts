import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../server/platform/database.ts';
import { noFaults as faults } from '../../server/platform/faults.ts';
import { silentLog } from '../../server/platform/log.ts';
import { openTrustedDate } from '../../server/platform/trusted-date.ts';
import { trustedDateTables } from '../../server/platform/trusted-date-store.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const START = Date.parse('2026-03-02T10:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A clock that anybody can set, and a watch that nobody can. */
async function standing(newest = 0) {
  const time = { clock: START, watch: 0 };
  const clock = { now: () => time.clock };
  const database = await openDatabase({
    ...{ dir: tempDir(), migrations: trustedDateTables, clock, faults, log: silentLog },
  });
  onTestFinished(() => database.close());
  const warned: string[] = [];
  const log = { warn: (_: object, words: string) => warned.push(words), error: () => undefined };
  return {
    ...{ time, warned },
    start: () =>
      openTrustedDate({
        ...{ database, clock, log, newestEvent: async () => newest },
        elapsed: () => time.watch,
      }),
    pass: (ms: number) => {
      time.clock += ms;
      time.watch += ms;
    },
  };
}

describe('the date that deletes go by', () => {
  it('is the clock, also after a weekend off', async () => {
    const { time, start, pass, warned } = await standing();
    const date = await start();
    pass(5 * DAY);
    expect(date.now()).toBe(time.clock);
    await date.keep();
    time.clock += 3 * DAY;
    const again = await start();
    expect([again.now(), again.jump(), again.notices]).toEqual([time.clock, undefined, []]);
    expect(warned).toEqual([]);
  });

  it.each(['at the start', 'while it runs'])(
    'stays where it was when the clock jumps %s',
    async (when) => {
      const { time, start, pass, warned } = await standing();
      const before = await start();
      time.clock += 100 * DAY;
      const date = when === 'at the start' ? await start() : before;
      pass(DAY);
      expect(date.now()).toBe(START + DAY);
      expect(date.jump()).toEqual({ from: START + DAY, to: START + 101 * DAY });
      await date.keep();
      await date.keep();
      expect(warned).toEqual([expect.stringMatching(/100 days, from \d March 2026/)]);
      expect(date.notices).toEqual([expect.stringContaining('to 11 June 2026')]);

      const next = await start();
      expect(next.now()).toBe(START + DAY);
      time.clock -= 100 * DAY;
      expect([next.now(), next.jump()]).toEqual([time.clock, undefined]);
    },
  );

  it('is the clock once somebody has confirmed it', async () => {
    const { time, start } = await standing();
    const date = await start();
    time.clock += 100 * DAY;
    await date.confirm();
    expect([date.now(), date.jump()]).toEqual([time.clock, undefined]);
    expect((await start()).now()).toBe(time.clock);
  });

  it('is never later than the clock, which is not asked about when it is set right', async () => {
    const { time, start, pass } = await standing();
    await start();
    // A machine whose clock begins anew until it has a network.
    time.clock = 0;
    const date = await start();
    pass(HOUR / 2);
    expect(date.now()).toBe(HOUR / 2);
    await date.keep();
    time.clock = START + HOUR;
    expect([date.now(), date.jump()]).toEqual([START + HOUR, undefined]);
  });

  it('is taken back to a clock that stays behind', async () => {
    const { time, start, pass } = await standing();
    const date = await start();
    time.clock += 100 * DAY;
    await date.confirm();
    time.clock -= 100 * DAY;
    date.now();
    pass(HOUR);
    date.now();
    time.clock += 100 * DAY;
    expect(date.now()).toBe(START + HOUR);
  });

  it('begins with the newest event where none was kept', async () => {
    const { start } = await standing(START - 100 * DAY);
    expect((await start()).now()).toBe(START - 100 * DAY);
  });
});
