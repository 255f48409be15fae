import { describe, expect, it } from 'vitest';
import { openUptime } from '../../server/evaluator/uptime.ts';
import { gapsIn } from '../../server/rules/listening.ts';
import type { Span } from '../../server/rules/schema.ts';
import { silentLog } from '../../server/platform/log.ts';

const MINUTE = 60_000;
const NOON = Date.parse('2026-03-02T12:00:00Z');

/** An uptime over a store in memory, and a clock that is moved tick by tick. */
async function uptimeAt(kept: Span[] = [], start = NOON) {
  const clock = { time: start, now: () => clock.time };
  const state = { listens: true, saves: 0, broken: false };
  const spans = new Map(kept.map((span) => [span.from, span]));
  const uptime = await openUptime({
    store: {
      listening: async () => [...spans.values()],
      async keepSpan(span) {
        if (state.broken) throw new Error('No space left');
        state.saves++;
        spans.set(span.from, { ...span });
      },
    },
    clock,
    listens: () => state.listens,
    log: silentLog,
  });
  async function pass(milliseconds: number, every = 15_000) {
    const end = clock.time + milliseconds;
    while (clock.time < end) {
      clock.time = Math.min(end, clock.time + every);
      await uptime.tick();
    }
  }
  await uptime.tick();
  return { clock, state, uptime, pass, kept: () => [...spans.values()] };
}

describe('the uptime of the collector', () => {
  it('is one span while ticks come', async () => {
    const { uptime, pass } = await uptimeAt();
    await pass(60 * MINUTE);
    expect(uptime.listening()).toEqual([{ from: NOON, to: NOON + 60 * MINUTE }]);
  });

  it('goes on up to the moment that is asked about', async () => {
    const { uptime } = await uptimeAt();
    expect(uptime.listening(NOON + 10)).toEqual([{ from: NOON, to: NOON + 10 }]);
  });

  it('ends at the last tick before the machine slept, and begins anew when it wakes', async () => {
    const { clock, uptime, pass } = await uptimeAt();
    await pass(10 * MINUTE);
    clock.time += 50 * MINUTE;
    await uptime.tick();
    await pass(MINUTE);
    expect(uptime.listening()).toEqual([
      { from: NOON, to: NOON + 10 * MINUTE },
      { from: NOON + 60 * MINUTE, to: NOON + 61 * MINUTE },
    ]);
  });

  it('is not broken by a tick that work held up', async () => {
    const { clock, uptime } = await uptimeAt();
    clock.time += 45_000;
    await uptime.tick();
    expect(uptime.listening()).toHaveLength(1);
  });

  it('ends while nothing can be stored', async () => {
    const { state, uptime, pass } = await uptimeAt();
    await pass(MINUTE);
    state.listens = false;
    await pass(5 * MINUTE);
    expect(uptime.listening(NOON + 6 * MINUTE)).toEqual([{ from: NOON, to: NOON + MINUTE }]);
    state.listens = true;
    await pass(MINUTE);
    expect(uptime.listening()[1]).toEqual({ from: NOON + 375_000, to: NOON + 7 * MINUTE });
  });

  it('takes back what a clock that was ahead had still to come', async () => {
    const { clock, uptime, pass } = await uptimeAt();
    await pass(30 * MINUTE);
    clock.time -= 20 * MINUTE;
    await uptime.tick();
    await pass(5 * MINUTE);
    expect(uptime.listening()).toEqual([{ from: NOON, to: NOON + 15 * MINUTE }]);
    clock.time += 60 * MINUTE;
    await uptime.tick();
    expect(gapsIn(uptime.listening(), { from: NOON, to: clock.time })).toEqual([
      { from: NOON + 15 * MINUTE, to: NOON + 75 * MINUTE },
    ]);
  });

  it('takes it back at the next start too', async () => {
    const ahead = [{ from: NOON - 60 * MINUTE, to: NOON + 60 * MINUTE }];
    const { uptime, kept } = await uptimeAt(ahead);
    expect(uptime.listening()).toEqual([{ from: NOON - 60 * MINUTE, to: NOON }]);
    expect(kept()[0]).toEqual({ from: NOON - 60 * MINUTE, to: NOON });
  });

  it('is written down once a minute and at the end, and read at the next start', async () => {
    const { state, uptime, pass, kept } = await uptimeAt();
    await pass(10 * MINUTE);
    expect(state.saves).toBe(11);
    await pass(30_000);
    await uptime.close();
    const later = await uptimeAt(kept(), NOON + 20 * MINUTE);
    expect(later.uptime.listening()).toEqual([
      { from: NOON, to: NOON + 630_000 },
      { from: NOON + 20 * MINUTE, to: NOON + 20 * MINUTE },
    ]);
  });

  it('goes on when it cannot be written down, and is then written whole', async () => {
    const { state, uptime, pass, kept } = await uptimeAt();
    state.broken = true;
    await pass(10 * MINUTE);
    expect(uptime.listening()).toEqual([{ from: NOON, to: NOON + 10 * MINUTE }]);
    state.broken = false;
    await pass(MINUTE);
    expect(kept()).toEqual([{ from: NOON, to: NOON + 11 * MINUTE }]);
  });
});
