import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLimiter, visitorKey } from '../../server/http/limits.ts';

describe('a limiter', () => {
  it('lets so many pass in a minute from the first, then says how long to wait', () => {
    const limiter = createLimiter({ limit: () => 2 });
    expect([0, 10, 20].map((now) => limiter.take('a', now))).toEqual([0, 0, 60]);
    expect(limiter.take('a', 59_001)).toBe(1);
    expect(limiter.take('a', 59_999)).toBe(1);
    expect(limiter.take('a', 60_000)).toBe(0);
  });

  it('counts each key by itself', () => {
    const limiter = createLimiter({ limit: () => 1 });
    expect(['a', 'b', 'a'].map((key) => limiter.take(key, 0))).toEqual([0, 0, 60]);
  });

  it('follows its setting at once', () => {
    let limit = 1;
    const limiter = createLimiter({ limit: () => limit });
    limiter.take('a', 0);
    expect(limiter.take('a', 1)).toBeGreaterThan(0);
    limit = 2;
    expect(limiter.take('a', 2)).toBe(0);
  });

  it('does not count what it refuses', () => {
    let limit = 1;
    const limiter = createLimiter({ limit: () => limit });
    for (let i = 0; i < 100; i++) limiter.take('a', i);
    limit = 2;
    expect(limiter.take('a', 200)).toBe(0);
  });

  it('sweeps old windows as new ones begin', () => {
    const limiter = createLimiter({ limit: () => 1 });
    for (let i = 0; i < 100; i++) limiter.take(`old ${i}`, i);
    limiter.take('new', 60_050);
    expect(limiter.size()).toBe(50);
  });

  it('drops the oldest when it is full, and no other', () => {
    const limiter = createLimiter({ limit: () => 1, maxKeys: 2 });
    for (const key of ['a', 'b', 'c']) limiter.take(key, 0);
    expect(limiter.size()).toBe(2);
    expect(['c', 'b'].map((key) => limiter.take(key, 1) > 0)).toEqual([true, true]);
    expect(limiter.take('a', 1)).toBe(0);
  });

  it('shuts nobody out when the clock is set back', () => {
    const limiter = createLimiter({ limit: () => 1 });
    limiter.take('a', 86_400_000);
    expect(limiter.take('a', 0)).toBe(0);
    expect(limiter.take('a', 1)).toBe(60);
  });

  it('never lets more than its limit pass in any one window, nor holds more than its bound', () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), wait: fc.nat(40_000) });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 200 }),
        fc.integer({ min: 1, max: 5 }),
        (steps, n) => {
          const limiter = createLimiter({ limit: () => n, maxKeys: 4 });
          const open = new Map<string, { start: number; passed: number }>();
          let now = 0;
          for (const { key, wait } of steps) {
            now += wait;
            let window = open.get(key);
            if (!window || now >= window.start + 60_000) window = { start: now, passed: 0 };
            open.set(key, window);
            const waiting = limiter.take(key, now);
            expect(waiting > 0).toBe(window.passed >= n);
            if (waiting === 0) window.passed++;
            expect(limiter.size()).toBeLessThanOrEqual(4);
          }
        },
      ),
    );
  });
});

describe('a visitor', () => {
  it.each([
    ['192.168.1.7', '192.168.1.7'],
    ['::ffff:192.168.1.7', '192.168.1.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2::9', '2001:db8:1:2::'],
    ['2001:db8::9', '2001:db8:0:0::'],
    ['2001:db8::3:4:5:6', '2001:db8:0:0::'],
    ['::1', '0:0:0:0::'],
    ['fe80::1%eth0', 'fe80:0:0:0::'],
  ])('at %s is counted as %s', (address, key) => {
    expect(visitorKey(address)).toBe(key);
  });
});
