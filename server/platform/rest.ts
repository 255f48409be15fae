import type { Database } from './database.ts';

/** Inner work reads now and then, also while nobody is there. */
const FEW_READS = 5;

interface Parts {
  database: Pick<Database, 'reads' | 'giveBack'>;
  /** Events that were accepted so far. */
  accepted: () => number;
  /** What is in no checkpoint is held in memory. */
  checkpoint: () => Promise<void>;
}

/**
 * Memory that only makes the next reads quicker is let go once nothing has happened since the last
 * call: a workstation has other work. Called every half minute.
 */
export function createRest({ database, accepted, checkpoint }: Parts) {
  let before = { events: -1, reads: 0 };

  return async (): Promise<void> => {
    const now = { events: accepted(), reads: database.reads() };
    const isQuiet = now.events === before.events && now.reads - before.reads <= FEW_READS;
    before = now;
    if (!isQuiet) return;
    await checkpoint();
    await database.giveBack();
  };
}
