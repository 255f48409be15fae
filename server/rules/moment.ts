import type { Listening } from './listening.ts';
import type { LocalTime } from './local-time.ts';

/** When a rule is judged, and what is known at that moment. */
export interface Moment {
  /** All that was received before it counts. */
  at: number;
  /** The last time that this rule was judged. */
  since?: number | undefined;
  /** Events before it may be gone, though their counts are kept. */
  keptSince?: number | undefined;
  /** And counts before this. */
  countedSince?: number | undefined;
  listening: Listening;
  localTime: LocalTime;
}

/** For how many days the events of a tenant, and the counts of them, are kept. */
export type KeptDays = (tenantId: string) => { events: number; counts: number };
