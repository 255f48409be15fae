import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { Migration } from './migrations.ts';
import type { Notices } from './notices.ts';

export interface DatabaseOptions {
  dir: string;
  /** Where its backup is, where not beside it. */
  backup?: () => string;
  migrations: readonly Migration[];
  /** Brings what was opened anew up to now by the journal. */
  catchUp?: () => Promise<void>;
  /** Tables that the journal fills again behind a backup. */
  journaled?: readonly string[];
  /** Which one it is, so that no other's backup takes its place. */
  installation?: string | undefined;
  /** Where what was found and mended is said. */
  notices?: Notices;
  clock: Clock;
  faults: Faults;
  log: {
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
}
