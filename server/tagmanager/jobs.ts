import type { Call } from './api/api.ts';
import type { FaultView, JobView } from './connection/schema.ts';

/** What a job tells about itself while it runs. */
export interface JobHandle {
  signal: AbortSignal;
  /** Handed to every verb of the API, so that requests are counted and can be stopped. */
  call: Call;
  /** What is being done now, in words: 'Reading tags'. */
  step: (words: string) => void;
  /** How many requests it will take in all, as far as that is known by now. */
  expect: (requests: number) => void;
}

/** Long work in the background: one at a time for each tenant. */
export interface Jobs {
  /** Throws `problems.tagManagerBusy` when one is under way. */
  start: (
    tenantId: string,
    kind: JobView['kind'],
    work: (job: JobHandle) => Promise<void>,
  ) => JobView;
  current: (tenantId: string) => JobView | null;
  lastFailure: (tenantId: string) => FaultView | null;
  /** Stops it, and waits until it has ended. */
  stop: (tenantId: string) => Promise<void>;
  /** When nothing is under way any more; for tests, and for those who wait. */
  idle: (tenantId: string) => Promise<void>;
  close: () => Promise<void>;
}
