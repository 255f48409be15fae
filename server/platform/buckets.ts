const MINUTE = 60_000;

/** How a chart of each range is cut: whole buckets, the last one still filling. */
export const RANGES = {
  '1h': { span: 60 * MINUTE, step: MINUTE },
  '24h': { span: 24 * 60 * MINUTE, step: 15 * MINUTE },
  '7d': { span: 7 * 24 * 60 * MINUTE, step: 60 * MINUTE },
  '30d': { span: 30 * 24 * 60 * MINUTE, step: 6 * 60 * MINUTE },
} as const;

export interface Point {
  timestamp: string;
  count: number;
}

/** How many by number of bucket; those that are left out are empty. */
type Counts = readonly (readonly [number: number, count: number])[];

/** The buckets of a chart that is drawn now. */
export function bucketsOf(range: keyof typeof RANGES, now: number) {
  const { span, step } = RANGES[range];
  const last = Math.floor(now / step);
  return buckets(step, last - span / step + 1, last);
}

const DAY = 24 * 60 * MINUTE;
const STEPS = [1, 5, 15, 60, 360, 1440].map((minutes) => minutes * MINUTE);
const MOST = 240;

/** The whole buckets that a stretch of time touches, as fine as a chart of it can show them. */
export function bucketsBetween(from: number, to: number) {
  const step =
    STEPS.find((size) => to - from <= MOST * size) ?? DAY * Math.ceil((to - from) / MOST / DAY);
  return buckets(step, Math.floor(from / step), from < to ? Math.ceil(to / step) - 1 : -Infinity);
}

/** Each has a number, its start in steps since 1970. */
function buckets(step: number, firstNumber: number, last: number) {
  const times = Array.from({ length: Math.max(0, last - firstNumber + 1) }, (_, i) =>
    new Date((firstNumber + i) * step).toISOString(),
  );

  function perBucket(counts: Counts): number[] {
    const all = times.map(() => 0);
    for (const [number, count] of counts) {
      if (number >= firstNumber && number <= last) all[number - firstNumber] = count;
    }
    return all;
  }

  return {
    step,
    /** When the first bucket begins. */
    first: firstNumber * step,
    /** When the last one ends. */
    end: (last + 1) * step,

    /** A point for every bucket, empty ones too. */
    fill: (counts: Counts): Point[] =>
      perBucket(counts).map((count, i) => ({ timestamp: times[i] ?? '', count })),

    /** The same as JSON, for lists of so many charts that the points themselves are too much. */
    fillText: (counts: Counts): string =>
      `[${perBucket(counts)
        .map((count, i) => `{"timestamp":"${times[i] ?? ''}","count":${count}}`)
        .join(',')}]`,
  };
}
