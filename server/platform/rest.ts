import type { Database } from './database.ts';

interface Parts {
  database: Pick<Database, 'asked' | 'giveBack'>;
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
  let before = { events: -1, asked: -1 };

  return async (): Promise<void> => {
    const now = { events: accepted(), asked: database.asked() };
    const isQuiet = now.events === before.events && now.asked === before.asked;
    before = now;
    if (!isQuiet) return;
    await checkpoint();
    await database.giveBack();
  };
}
