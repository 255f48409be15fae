import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Jobs } from '../jobs.ts';
import { createContainer } from './container.ts';
import { createArrivals } from './events-check.ts';
import type { Arrived } from './events-check.ts';
import { createJudge } from './judge.ts';
import type { ConnectionPart } from './parts.ts';
import { createSnapshotStore } from './store.ts';
import { createSnapshots } from './take.ts';
import { createVerification } from './verification.ts';

interface Parts {
  database: Database;
  connection: ConnectionPart;
  jobs: Jobs;
  /** Where this appliance is reached: the template is to send to one of them. */
  addresses: () => readonly string[];
  activities: Arrived;
  /** How many proposed changes are open. */
  waiting?: (tenantId: string) => number | Promise<number>;
  clock: Clock;
  log: { error(fields: object, message: string): void };
}

/** What is known of the container, and whether it is set up right. */
export function createSnapshotParts({ database, addresses, activities, waiting, ...parts }: Parts) {
  const store = createSnapshotStore(database);
  const snapshots = createSnapshots({ ...parts, store, judge: createJudge({ addresses }) });
  return {
    snapshots,
    container: createContainer({ snapshots, store }),
    verification: createVerification({
      ...{ ...parts, snapshots, arrivals: createArrivals(activities) },
      ...(waiting && { waiting }),
    }),
  };
}
