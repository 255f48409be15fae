import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, verdict, volume } from './parts.ts';
import { rounds } from '../helpers/soak.ts';

/** How much of the runs of the soak. */
const SHARE = rounds(1, 4);

interface Case {
  threshold: number;
  minutes: number;
  hours: number;
  current: number;
  events: number;
}

/** By how much (current − expected) ÷ expected × 100 is above the threshold, without any rounding. */
function above({ threshold, minutes, hours, current, events }: Case): bigint {
  // All of it times the length of the slice, which is more than 0.
  const slice = BigInt(hours * HOUR);
  const expected = BigInt(events) * BigInt(minutes * MINUTE);
  return (BigInt(current) * slice - expected) * 100n - BigInt(threshold) * expected;
}

const judged = ({ threshold, minutes, hours, current, events }: Case) =>
  verdict(
    volume({
      threshold_percent: threshold,
      current_window_minutes: minutes,
      comparison_window_hours: hours,
      min_baseline_events: 1,
    }),
    [current, events],
  ).state;

const threshold = fc.oneof(
  fc.constantFrom(-100, -90, -75, -50, -25, -10, 10, 25, 50, 100, 140, 200),
  fc.integer({ min: -100, max: 500 }).filter((percent) => percent !== 0),
);

describe('the change of a volume', () => {
  it('is judged as exact arithmetic does, on both sides of the threshold', () => {
    const near = fc
      .record({
        threshold,
        minutes: fc.integer({ min: 1, max: 10_080 }),
        hours: fc.integer({ min: 1, max: 2160 }),
        events: fc.integer({ min: 1, max: 1_000_000 }),
        off: fc.constantFrom(-1, 0, 1),
      })
      .map(({ off, ...given }): Case => {
        const expected = (given.events * given.minutes) / (given.hours * 60);
        const limit = Math.round(expected * (1 + given.threshold / 100));
        return { ...given, current: Math.max(0, limit + off) };
      });
    fc.assert(
      fc.property(near, (one) => {
        const far = above(one);
        fc.pre(far !== 0n);
        expect(judged(one)).toBe(far < 0n === one.threshold < 0 ? 'fires' : 'quiet');
      }),
      { numRuns: 1000 * SHARE },
    );
  });

  /** current = events × minutes ÷ slice × (1 + threshold ÷ 100), all of them whole. */
  const right = fc
    .record({
      threshold,
      minutes: fc.integer({ min: 1, max: 10_080 }),
      hours: fc.integer({ min: 1, max: 2160 }),
      times: fc.integer({ min: 1, max: 50 }),
    })
    .map(({ threshold, minutes, hours, times }): Case => {
      const [up, down] = [minutes * (100 + threshold), hours * 60 * 100];
      const common = gcd(up, down);
      const [current, events] = [(times * up) / common, (times * down) / common];
      return { threshold, minutes, hours, current, events };
    });
  const isWhole = ({ events, minutes, hours }: Case) => (events * minutes) % (hours * 60) === 0;

  it('right at the threshold fires, where the expectation is a whole number', () => {
    fc.assert(
      fc.property(right.filter(isWhole), (one) => {
        expect(above(one)).toBe(0n);
        expect(judged(one)).toBe('fires');
      }),
      { numRuns: 250 * SHARE },
    );
  });

  // 141 events where 9400 ÷ 60 are expected are down by 10% exactly.
  it('right at the threshold fires, whatever the expectation', () => {
    fc.assert(
      fc.property(right, (one) => {
        expect(above(one)).toBe(0n);
        expect(judged(one)).toBe('fires');
      }),
      {
        numRuns: 500 * SHARE,
        examples: [[{ threshold: -10, minutes: 1, hours: 1, current: 141, events: 9400 }]],
      },
    );
  });
});

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
