import type { Database } from './database.ts';

interface Parts {
  database: Pick<Database, 'asked' | 'giveBack'>;
  /** Events that were accepted so far. */
  accepted: () => number;
  /** What is in no checkpoint is held in memory. */
  checkpoint: () => Promise<void>;
  shrinkHeap: () => void;
}

/**
 * Memory that only makes the next reads quicker is let go once nothing has happened since the last
 * call: a workstation has other work. Called every half minute; rests once, until something happens.
 */
export function createRest({ database, accepted, checkpoint, shrinkHeap }: Parts) {
  let before = '';
  let isResting = false;

  return async (): Promise<void> => {
    const now = `${accepted()} ${database.asked()}`;
    const isQuiet = now === before;
    before = now;
    if (isQuiet && !isResting) {
      await checkpoint();
      await database.giveBack();
      shrinkHeap();
    }
    isResting = isQuiet;
  };
}
