import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPacer } from '../../../server/tagmanager/api/pacer.ts';
import type { Quota } from '../../../server/tagmanager/api/allowance.ts';
import { createTime } from './time.ts';

const QUOTA: Quota = { requests: 25, withinMs: 100_000, perDay: 10_000 };

function start(quota: Quota = QUOTA) {
  const time = createTime();
  return { time, pacer: createPacer({ clock: time, quota, wait: time.wait }) };
}

/** When each of so many requests was let go, in real time. */
function takeMany({ time, pacer }: ReturnType<typeof start>, count: number, project = 'p') {
  const given: number[] = [];
  const all = Array.from({ length: count }, () =>
    pacer.take(project).then(() => void given.push(time.real())),
  );
  return { given, done: Promise.all(all) };
}

describe('the pacer', () => {
  it('lets a burst through, and the next when the first is old enough', async () => {
    const parts = start();
    const { given, done } = takeMany(parts, 52);
    await parts.time.run(done);
    expect(given.slice(0, 25)).toEqual(Array(25).fill(0));
    expect(given.slice(25, 50)).toEqual(Array(25).fill(100_000));
    expect(given.slice(50)).toEqual([200_000, 200_000]);
  });

  it('keeps no project waiting for another', async () => {
    const parts = start({ ...QUOTA, requests: 1 });
    const first = takeMany(parts, 2, 'a');
    const other = takeMany(parts, 1, 'b');
    await other.done;
    expect(other.given).toEqual([0]);
    await parts.time.run(first.done);
  });

  it('says at once that the day is full, and how long it is', async () => {
    const parts = start({ requests: 5, withinMs: 10, perDay: 3 });
    const { pacer, time } = parts;
    const before = takeMany(parts, 3);
    await expect(pacer.take('p')).rejects.toMatchObject({ code: 'quota_day' });
    await before.done;
    time.pass(60_000);
    await expect(pacer.take('p')).rejects.toMatchObject({ waitSeconds: 24 * 3600 - 60 });
    expect(pacer.usedToday('p')).toBe(3);
    time.pass(24 * 3600 * 1000);
    await pacer.take('p');
    expect(pacer.usedToday('p')).toBe(1);
  });

  it('counts those who wait among the requests of the day', async () => {
    const parts = start({ requests: 1, withinMs: 10, perDay: 2 });
    const { given, done } = takeMany(parts, 2);
    await expect(parts.pacer.take('p')).rejects.toMatchObject({ code: 'quota_day' });
    await parts.time.run(done);
    expect(given).toEqual([0, 10]);
  });

  it('holds a project for as long as it is told', async () => {
    const parts = start();
    parts.pacer.hold('p', 70_000);
    parts.pacer.hold('p', 10_000);
    expect(parts.pacer.waitingMs('p')).toBe(70_000);
    const { given, done } = takeMany(parts, 1);
    await parts.time.run(done);
    expect(given).toEqual([70_000]);
  });

  it('lets those go who no longer want to wait, and counts nothing for them', async () => {
    const parts = start({ ...QUOTA, requests: 1 });
    const { pacer, time } = parts;
    await pacer.take('p');
    const controller = new AbortController();
    const stopped = pacer.take('p', controller.signal);
    controller.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'stopped' });
    await expect(pacer.take('p', controller.signal)).rejects.toMatchObject({ code: 'stopped' });
    // Nobody waits, so nothing keeps time.
    await time.settled();
    expect(time.waiting()).toBe(0);
    expect(pacer.usedToday('p')).toBe(1);
    const { given, done } = takeMany(parts, 1);
    await time.run(done);
    expect(given).toEqual([100_000]);
  });

  it('goes on when the clock is set back, without waiting for that time again', async () => {
    const parts = start({ ...QUOTA, requests: 1 });
    await parts.pacer.take('p');
    parts.time.pass(99_000);
    parts.pacer.waitingMs('p');
    parts.time.setBack(3600_000);
    expect(parts.pacer.waitingMs('p')).toBe(1000);
    const { given, done } = takeMany(parts, 1);
    await parts.time.run(done);
    expect(given).toEqual([100_000]);
  });

  it('sees soon that the computer has slept', async () => {
    const parts = start({ ...QUOTA, requests: 1 });
    await parts.pacer.take('p');
    const { done } = takeMany(parts, 1);
    await parts.time.settled();
    expect(parts.time.nextWait()).toBeLessThanOrEqual(30_000);
    parts.time.sleep(8 * 3600_000);
    const before = parts.time.real();
    await parts.time.run(done);
    expect(parts.time.real() - before).toBeLessThanOrEqual(30_000);
  });

  it('pauses, and ends a pause that is stopped', async () => {
    const { pacer, time } = start();
    const paused = pacer.pause(5000);
    await time.run(paused);
    expect(time.real()).toBe(5000);
    const controller = new AbortController();
    const stopped = pacer.pause(5000, controller.signal);
    controller.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'stopped' });
  });

  it('waits by itself when no other way is handed in', async () => {
    const pacer = createPacer({
      clock: { now: () => performance.now() },
      quota: { requests: 1, withinMs: 20, perDay: 100 },
    });
    const began = performance.now();
    await pacer.take('p');
    await pacer.take('p');
    expect(performance.now() - began).toBeGreaterThan(19);
    const controller = new AbortController();
    const stopped = pacer.pause(3600_000, controller.signal);
    controller.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'stopped' });
  });

  it('does not leave those waiting whose wait has failed', async () => {
    const broken = () => Promise.reject(new Error('no timers'));
    const pacer = createPacer({
      clock: { now: () => 0 },
      quota: { ...QUOTA, requests: 1 },
      wait: broken,
    });
    await pacer.take('p');
    await expect(pacer.take('p')).rejects.toThrow('no timers');
  });
});

describe('the estimate', () => {
  it.each([
    [0, 0],
    [25, 0],
    [26, 100],
    [50, 100],
    [51, 200],
  ])('for %d requests is %d s to begin with', (requests, seconds) => {
    expect(start().pacer.secondsFor('p', requests)).toBe(seconds);
  });

  it('is how long it then takes', async () => {
    const amount = { min: 1, max: 80 };
    const property = fc.asyncProperty(
      fc.array(fc.nat(5000), { maxLength: 40 }),
      fc.integer(amount),
      fc.nat(50_000),
      async (before, count, hold) => {
        const parts = start();
        for (const pause of before) {
          await parts.time.run(parts.pacer.take('p'));
          parts.time.pass(pause);
        }
        parts.pacer.hold('p', hold);
        const begun = parts.time.real();
        const seconds = parts.pacer.secondsFor('p', count);
        const { done } = takeMany(parts, count);
        await parts.time.run(done);
        expect(Math.ceil((parts.time.real() - begun) / 1000)).toBe(seconds);
      },
    );
    await fc.assert(property);
  });
});

describe('whatever happens, the pacer', () => {
  type Step = { do: 'take'; stops: boolean } | { do: 'pass' | 'hold' | 'setBack'; ms: number };
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('take' as const), stops: fc.boolean() }) },
    fc.record({
      do: fc.constantFrom('pass' as const, 'hold' as const, 'setBack' as const),
      ms: fc.nat(40_000),
    }),
  );

  it('lets never more through than allowed, in the order of asking, and all of them', async () => {
    const quota = { requests: 4, withinMs: 20_000, perDay: 1000 };
    const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const parts = start(quota);
      const { time, pacer } = parts;
      const given: { order: number; at: number }[] = [];
      const stopping: AbortController[] = [];
      const all: Promise<unknown>[] = [];
      const wanted: number[] = [];
      for (const [order, one] of steps.entries()) {
        if (one.do === 'take') {
          const controller = new AbortController();
          if (one.stops) stopping.push(controller);
          else wanted.push(order);
          const turn = pacer.take('p', controller.signal);
          const told = turn.then(() => void given.push({ order, at: time.real() }));
          all.push(told.catch(() => undefined));
        } else if (one.do === 'hold') pacer.hold('p', one.ms);
        else time[one.do](one.ms);
        if (order % 3 === 0) stopping.shift()?.abort();
        await time.settled();
      }
      for (const controller of stopping) controller.abort();
      await time.run(Promise.all(all));

      const moments = given.map(({ at }) => at);
      for (const [i, at] of moments.entries()) {
        const within = moments.slice(0, i + 1).filter((other) => other > at - quota.withinMs);
        expect(within.length).toBeLessThanOrEqual(quota.requests);
      }
      const orders = given.map(({ order }) => order);
      expect(orders).toEqual([...orders].sort((a, b) => a - b));
      expect(orders).toEqual(expect.arrayContaining(wanted));
      expect(pacer.usedToday('p')).toBe(given.length);
    });
    await fc.assert(property, { numRuns: 300 });
  });
});
