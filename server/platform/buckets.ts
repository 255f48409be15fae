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

/** The buckets of a chart that is drawn now; each has a number, its start in steps since 1970. */
export function bucketsOf(range: keyof typeof RANGES, now: number) {
  const { span, step } = RANGES[range];
  const last = Math.floor(now / step);
  const firstNumber = last - span / step + 1;
  const times = Array.from({ length: span / step }, (_, i) =>
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
