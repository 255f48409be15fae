import { gapsIn, lengthOf } from '../rules/listening.ts';
import type { Listening } from '../rules/listening.ts';
import type { LocalTime } from '../rules/local-time.ts';
import type { Window } from './marks.ts';
import type { EventFilter, Usual } from './schema.ts';
import type { UsualStore } from './usual-store.ts';

const MINUTE = 60_000;
const STEP = 30 * MINUTE;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const BUCKETS = DAY / STEP;
const WEEKS = 4;
const DAYS = 7;
/** A median of fewer is one day's whim. */
const NEEDED = 2;
/** Of a window, what may have gone unheard. */
const MAX_UNHEARD = 0.1;

export interface UsualParts {
  counts: UsualStore;
  listening: (until: number) => Listening;
  localTime: Pick<LocalTime, 'daysBefore'>;
  /** For how many days counts are kept. */
  countedDays: (tenantId: string) => number;
}

/** A window and the ones like it, further back, that say what is usual there. */
interface Compared {
  window: Window;
  samples: Window[];
  weeks: number;
}

/** Holds the last 24 hours against the same time in the weeks before, or else in the days before. */
export function createUsual({ counts, listening, localTime, countedDays }: UsualParts) {
  function compared(window: Window, isKnown: (sample: Window) => boolean): Compared {
    const back = (days: number): Window => {
      const from = localTime.daysBefore(window.from, days);
      return { from, to: from + window.to - window.from };
    };
    const samples = (most: number, step: number) =>
      Array.from({ length: most }, (_, i) => back((i + 1) * step)).filter(isKnown);
    const weeks = samples(WEEKS, 7);
    if (weeks.length >= NEEDED) return { window, samples: weeks, weeks: weeks.length };
    const days = samples(DAYS, 1);
    return { window, samples: days.length >= NEEDED ? days : [], weeks: 0 };
  }

  return async (tenantId: string, filter: EventFilter, now: number): Promise<Usual> => {
    const heard = listening(now);
    const countedSince = now - countedDays(tenantId) * DAY;
    const isKnown = (sample: Window) =>
      sample.from >= countedSince &&
      lengthOf(gapsIn(heard, sample)) <= MAX_UNHEARD * (sample.to - sample.from);

    const filling = Math.floor(now / STEP) * STEP;
    const buckets = Array.from({ length: BUCKETS }, (_, i): Compared => {
      const from = filling - (BUCKETS - 1 - i) * STEP;
      const window = { from, to: from + STEP };
      // Half of a bucket says nothing yet.
      return from === filling ? { window, samples: [], weeks: 0 } : compared(window, isKnown);
    });
    // With the minute that is still filling, since what has just come is looked for first.
    const end = Math.ceil(now / MINUTE) * MINUTE;
    const hour = compared({ from: end - HOUR, to: end }, isKnown);

    const { perBucket, within } = await counts.count(tenantId, filter, {
      step: STEP,
      windows: [hour.window, ...hour.samples],
      stretches: stretchesOf([...buckets, hour]),
    });
    const inBucket = ({ from }: Window) => perBucket.get(from / STEP) ?? 0;
    const inHour = ({ from, to }: Window) => {
      let sum = 0;
      for (let n = Math.floor(from / STEP); n * STEP < to; n++) sum += within.get(n) ?? 0;
      return sum;
    };
    return {
      points: buckets.map((bucket) => ({
        timestamp: new Date(bucket.window.from).toISOString(),
        ...held(bucket, inBucket),
      })),
      last_hour: held(hour, inHour),
    };
  };
}

export type AskUsual = ReturnType<typeof createUsual>;

function held({ window, samples, weeks }: Compared, countIn: (window: Window) => number) {
  const usual = samples.map(countIn).sort((a, b) => a - b);
  const middle = [usual[(usual.length - 1) >> 1], usual[usual.length >> 1]];
  return {
    count: countIn(window),
    usual: samples.length === 0 ? null : ((middle[0] ?? 0) + (middle[1] ?? 0)) / 2,
    low: usual[0] ?? null,
    high: usual.at(-1) ?? null,
    weeks,
  };
}

/** All that is asked about; what lies close together is one stretch. */
function stretchesOf(all: readonly Compared[]): Window[] {
  const windows = all.flatMap(({ window, samples }) => [window, ...samples]);
  const stretches: Window[] = [];
  for (const { from, to } of windows.sort((a, b) => a.from - b.from)) {
    const last = stretches.at(-1);
    if (last && from - last.to < DAY / 2) last.to = Math.max(last.to, to);
    else stretches.push({ from, to });
  }
  return stretches;
}
