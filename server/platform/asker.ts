import { AsyncLocalStorage } from 'node:async_hooks';
import { untilAborted } from './patience.ts';

/** On whose behalf something is read, so that many who ask take turns and none asks in vain. */
export interface Asker {
  /** All that one key or session asks is of one owner. */
  readonly owner: string;
  /** Fires when nobody waits for the answer any more, or it takes too long; its reason says so. */
  readonly signal: AbortSignal;
}

const askers = new AsyncLocalStorage<Asker | undefined>();

/** Nobody where the appliance itself wants to know, as the evaluator does. */
export const currentAsker = (): Asker | undefined => askers.getStore();

/** All that follows from `work` is on behalf of this one. */
export const asking = <T>(asker: Asker, work: () => T): T => askers.run(asker, work);

/** For work that others wait for too: it must not end because the first of them has left. */
export const forEverybody = <T>(work: () => T): T => askers.run(undefined, work);

/** For what goes on anyway: whoever asks waits for it no longer than for their answer. */
export async function whileWaitedFor<T>(work: Promise<T>): Promise<T> {
  const signal = currentAsker()?.signal;
  if (signal === undefined) return work;
  return untilAborted(signal)(work);
}

/** Between the steps of what takes long. */
export function endIfNobodyWaits(signal = currentAsker()?.signal): void {
  signal?.throwIfAborted();
}
