import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLocalTime } from '../../server/rules/local-time.ts';
import { DAY, moment, threshold, verdict, volume, WEEK, windows } from './parts.ts';

const iso = (time: number) => new Date(time).toISOString();

describe('the same time, weeks ago,', () => {
  it.each([
    // In Berlin 02:00 to 03:00 is skipped on 29 March, and comes twice on 25 October.
    ['Europe/Berlin', '2026-01-31T12:00+01:00', 4, '2026-01-03T12:00+01:00'],
    ['Europe/Berlin', '2026-04-02T10:00+02:00', 1, '2026-03-26T10:00+01:00'],
    ['Europe/Berlin', '2026-04-20T12:00+02:00', 4, '2026-03-23T12:00+01:00'],
    ['Europe/Berlin', '2026-04-20T12:00+02:00', 3, '2026-03-30T12:00+02:00'],
    ['Europe/Berlin', '2026-04-05T01:59+02:00', 1, '2026-03-29T01:59+01:00'],
    ['Europe/Berlin', '2026-04-05T02:00+02:00', 1, '2026-03-29T03:00+02:00'],
    ['Europe/Berlin', '2026-04-05T02:30+02:00', 1, '2026-03-29T03:30+02:00'],
    ['Europe/Berlin', '2026-04-05T03:00+02:00', 1, '2026-03-29T03:00+02:00'],
    ['Europe/Berlin', '2026-04-05T00:30+02:00', 1, '2026-03-29T00:30+01:00'],
    ['Europe/Berlin', '2026-11-01T10:00+01:00', 1, '2026-10-25T10:00+01:00'],
    ['Europe/Berlin', '2026-11-01T10:00+01:00', 2, '2026-10-18T10:00+02:00'],
    ['Europe/Berlin', '2026-11-01T01:59+01:00', 1, '2026-10-25T01:59+02:00'],
    ['Europe/Berlin', '2026-11-01T02:30+01:00', 1, '2026-10-25T02:30+01:00'],
    ['Europe/Berlin', '2026-11-01T03:00+01:00', 1, '2026-10-25T03:00+01:00'],
    ['Europe/Berlin', '2026-10-25T02:30+02:00', 1, '2026-10-18T02:30+02:00'],
    ['Europe/Berlin', '2026-10-25T02:30+01:00', 1, '2026-10-18T02:30+02:00'],
    ['America/New_York', '2026-03-15T01:30-04:00', 1, '2026-03-08T01:30-05:00'],
    ['America/New_York', '2026-03-15T02:30-04:00', 1, '2026-03-08T03:30-04:00'],
    ['America/New_York', '2026-03-15T03:30-04:00', 1, '2026-03-08T03:30-04:00'],
    ['America/New_York', '2026-11-08T00:30-05:00', 1, '2026-11-01T00:30-04:00'],
    ['America/New_York', '2026-11-08T01:30-05:00', 1, '2026-11-01T01:30-05:00'],
    ['America/New_York', '2026-11-08T20:00-05:00', 2, '2026-10-25T20:00-04:00'],
    ['Asia/Kolkata', '2026-04-05T02:30+05:30', 1, '2026-03-29T02:30+05:30'],
    ['Asia/Kolkata', '2026-11-01T02:30+05:30', 4, '2026-10-04T02:30+05:30'],
    // On Lord Howe Island the clock is moved by half an hour.
    ['Australia/Lord_Howe', '2026-04-12T01:15+10:30', 1, '2026-04-05T01:15+11:00'],
    ['Australia/Lord_Howe', '2026-04-12T01:45+10:30', 1, '2026-04-05T01:45+10:30'],
    ['Australia/Lord_Howe', '2026-04-12T12:00+10:30', 2, '2026-03-29T12:00+11:00'],
    ['Australia/Lord_Howe', '2026-10-11T02:15+11:00', 1, '2026-10-04T02:45+11:00'],
    ['Australia/Lord_Howe', '2026-10-11T02:45+11:00', 1, '2026-10-04T02:45+11:00'],
    // Apia skipped the whole of 30 December 2011.
    ['Pacific/Apia', '2012-01-06T12:00+14:00', 1, '2011-12-31T12:00+14:00'],
    ['Pacific/Apia', '2012-01-06T12:00+14:00', 2, '2011-12-23T12:00-10:00'],
    ['UTC', '2026-03-29T02:30Z', 1, '2026-03-22T02:30Z'],
  ])('in %s at %s, %d before, is %s', (zone, time, weeks, expected) => {
    const before = createLocalTime(zone).daysBefore(Date.parse(time), 7 * weeks);
    expect(iso(before)).toBe(iso(Date.parse(expected)));
  });

  it('is what the wall clock shows, unless the clock never showed it', () => {
    const zone = fc.constantFrom(
      ...['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'],
      ...['America/St_Johns', 'Africa/Casablanca', 'Pacific/Chatham', 'America/Santiago'],
    );
    const clocks = new Map<string, Intl.DateTimeFormat>();
    const wall = (zone: string, time: number) => {
      const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('sv-SE', style(zone));
      clocks.set(zone, clock);
      return Date.parse(`${clock.format(time).replace(' ', 'T')}Z`);
    };
    const time = fc.integer({
      min: Date.UTC(2020, 0) / 1000,
      max: Date.UTC(2030, 0) / 1000,
    });
    fc.assert(
      fc.property(zone, time, fc.integer({ min: 1, max: 4 }), (zone, seconds, weeks) => {
        const now = seconds * 1000;
        const wanted = wall(zone, now) - weeks * WEEK;
        const before = createLocalTime(zone).daysBefore(now, 7 * weeks);
        if (wall(zone, before) === wanted) return;
        for (const near of [before - DAY, before + DAY]) {
          const guess = near + wanted - wall(zone, near);
          expect(wall(zone, guess)).not.toBe(wanted);
        }
        expect(wall(zone, before)).toBeGreaterThan(wanted);
      }),
      { numRuns: 300 },
    );
  });
});

const style = (timeZone: string): Intl.DateTimeFormatOptions => ({
  timeZone,
  ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
});

describe('a time in words', () => {
  const berlin = createLocalTime('Europe/Berlin');
  const text = (time: string, today: string) => berlin.text(Date.parse(time), Date.parse(today));

  it.each([
    ['2026-01-31T06:12:59.999Z', '2026-01-31T12:00Z', '07:12'],
    ['2026-07-31T06:12Z', '2026-07-31T12:00Z', '08:12'],
    ['2026-01-30T23:00Z', '2026-01-31T12:00Z', '00:00'],
    ['2026-01-30T22:59Z', '2026-01-31T12:00Z', '2026-01-30 23:59'],
    ['2026-01-31T23:00Z', '2026-01-31T12:00Z', '2026-02-01 00:00'],
    ['2026-01-30T23:30Z', '2026-01-30T22:30Z', '2026-01-31 00:30'],
    ['2026-03-29T00:59Z', '2026-03-29T12:00Z', '01:59'],
    ['2026-03-29T01:00Z', '2026-03-29T12:00Z', '03:00'],
    ['2026-10-25T00:30Z', '2026-10-25T12:00Z', '02:30'],
    ['2026-10-25T01:30Z', '2026-10-25T12:00Z', '02:30'],
  ])('is, for %s told at %s, %s', (time, today, expected) => {
    expect(text(time, today)).toBe(expected);
  });

  it.each([
    ['Asia/Kolkata', '17:30'],
    ['Australia/Lord_Howe', '23:00'],
    ['America/New_York', '07:00'],
    ['UTC', '12:00'],
  ])('goes by the clock of %s', (zone, expected) => {
    const noon = Date.UTC(2026, 0, 31, 12);
    expect(createLocalTime(zone).text(noon, noon)).toBe(expected);
  });

  it('is that of the place in the reason why a rule is skipped', () => {
    const at = Date.parse('2026-07-31T07:00Z');
    const listening = [
      { from: 0, to: Date.parse('2026-07-31T05:12Z') },
      { from: Date.parse('2026-07-31T06:03Z'), to: at },
    ];
    const rule = threshold({ operator: '<', value: 1, window_minutes: 120 });
    const here = moment({ at, listening, localTime: berlin });
    expect(verdict(rule, [0], here).message).toBe('collector was offline 07:12–08:03');
  });
});

describe('a seasonal volume', () => {
  const season = volume({ baseline: 'seasonal' });
  const asked = (zone: string, time: string) => {
    const at = Date.parse(time);
    const own = moment({ at, localTime: createLocalTime(zone) });
    return windows(season, own).map(([from = 0, to = 0]) => [from, to].map((m) => m / 60));
  };
  const week = 168;

  it.each([
    ['Europe/Berlin', '2026-04-05T12:00+02:00', 0],
    ['Europe/Berlin', '2026-04-04T12:00+02:00', 1],
    ['Europe/Berlin', '2026-10-31T12:00+01:00', -1],
    ['America/New_York', '2026-03-14T12:00-04:00', 1],
    ['Australia/Lord_Howe', '2026-04-11T12:00+10:30', -0.5],
    ['Asia/Kolkata', '2026-04-04T12:00+05:30', 0],
  ])('in %s at %s has its hour a week ago %d hours nearer', (zone, time, nearer) => {
    const [current, before] = asked(zone, time);
    expect(current).toEqual([-1, 0]);
    expect(before).toEqual([-week - 1 + nearer, -week + nearer]);
  });

  it('has windows of the same length where the clock skips an hour, or shows it twice', () => {
    const times = ['2026-04-05T02:15+02:00', '2026-04-05T03:30+02:00', '2026-11-01T02:30+01:00'];
    for (const time of times) {
      const lengths = asked('Europe/Berlin', time).map(([from = 0, to = 0]) => to - from);
      expect(lengths.map((hours) => hours.toFixed(9))).toEqual(Array(5).fill('1.000000000'));
    }
  });
});

describe('a volume held against an earlier day', () => {
  const start = (comparison_window_hours: number, time: string) => {
    const rule = volume({ baseline: 'previous', comparison_window_hours });
    const own = moment({ at: Date.parse(time), localTime: createLocalTime('Europe/Berlin') });
    return (windows(rule, own)[1]?.[0] ?? 0) / 60;
  };

  it('takes the same time of day over a change of the clocks', () => {
    expect(start(24, '2026-03-29T12:00+02:00')).toBe(-24);
    expect(start(24, '2026-10-25T12:00+01:00')).toBe(-26);
    expect(start(168, '2026-10-31T12:00+01:00')).toBe(-170);
    expect(start(24, '2026-07-01T12:00+02:00')).toBe(-25);
  });

  it('takes so many hours ago when they are no whole days', () => {
    expect(start(25, '2026-10-25T12:00+01:00')).toBe(-26);
    expect(start(1, '2026-10-25T03:30+01:00')).toBe(-2);
  });
});
