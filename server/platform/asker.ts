import { AsyncLocalStorage } from 'node:async_hooks';

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

/** Between the steps of what takes long. */
export function endIfNobodyWaits(signal = currentAsker()?.signal): void {
  signal?.throwIfAborted();
}
