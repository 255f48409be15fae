import type { Clock } from '../../platform/clock.ts';
import { problems } from '../../platform/errors.ts';
import type { Chosen, JobView } from '../connection/schema.ts';
import { chosenMeanwhile } from '../fault-words.ts';
import { TagManagerFault } from '../faults.ts';
import type { JobHandle, Jobs } from '../jobs.ts';
import { changesBetween } from './compare.ts';
import type { Judge, Judged } from './judge.ts';
import type { ConnectionPart } from './parts.ts';
import { LEAST_REQUESTS, readChosen } from './reading.ts';
import type { Snapshot, SnapshotStore } from './store.ts';
import { isSame, snapshotOf } from './summary.ts';

interface Parts {
  connection: ConnectionPart;
  jobs: Jobs;
  store: SnapshotStore;
  judge: Judge;
  clock: Clock;
  log: { error(fields: object, message: string): void };
}

export type Snapshots = ReturnType<typeof createSnapshots>;

/** Takes snapshots, and keeps the newest of each tenant at hand. */
export function createSnapshots({ connection, jobs, store, judge, clock, log }: Parts) {
  async function work(tenantId: string, job: JobHandle): Promise<void> {
    // Follows the workspace; whoever chooses another leaves it behind.
    const aim = { of: connection.chosen(tenantId) };
    const isStillChosen = () => isVery(aim.of, connection.chosen(tenantId));
    try {
      await take(tenantId, job, (of) => {
        job.signal.throwIfAborted();
        aim.of = of;
        if (!isStillChosen()) throw chosenMeanwhile();
      });
    } catch (error) {
      const isFault = error instanceof TagManagerFault;
      if (isFault && isStillChosen()) await connection.report(tenantId, error);
      throw error;
    }
    await connection.cleared(tenantId);
  }

  async function take(
    tenantId: string,
    job: JobHandle,
    mustStillBe: (of: Chosen) => void,
  ): Promise<void> {
    // When it begins: what is written after that may be in it or not.
    const takenAt = clock.now();
    const last = await store.newest(tenantId);
    const previous = last && isSame(last.view.of, connection.chosen(tenantId)) ? last : undefined;
    job.expect(previous?.view.requests ?? LEAST_REQUESTS);

    let requests = 0;
    const asking = () => {
      requests++;
      job.call.asking?.();
    };
    const found = await readChosen({
      ...{ tenantId, connection, call: { ...job.call, asking } },
      step(words, of) {
        mustStillBe(of);
        job.step(words);
      },
    });

    const changes = previous ? await changesBetween(previous.objects, found.objects) : [];
    const about = { takenAt, requests, previous: previous?.view, differences: changes.length };
    const snapshot = snapshotOf(found, about, judge.oursOf);
    const { view } = judge.judged(snapshot);
    mustStillBe(found.of);
    await store.replace(tenantId, { ...snapshot, view }, changes);
  }

  /** Throws when something is under way, or nothing can be read. */
  function begin(tenantId: string): JobView {
    try {
      connection.apiFor(tenantId);
      connection.chosen(tenantId);
    } catch (error) {
      throw error instanceof TagManagerFault ? problems.tagManagerFault(error) : error;
    }
    return jobs.start(tenantId, 'snapshot', (job) => work(tenantId, job));
  }

  return {
    begin,

    /** For those who changed something: when what is under way has ended, and if it can be. */
    async beginWhenIdle(tenantId: string): Promise<void> {
      await jobs.idle(tenantId);
      try {
        begin(tenantId);
      } catch (error) {
        log.error({ err: error, tenantId }, 'A snapshot could not be begun');
      }
    },

    /** Stops a snapshot, and nothing else that may be under way. */
    async stop(tenantId: string): Promise<void> {
      const kind = jobs.current(tenantId)?.kind;
      if (kind === 'apply') throw problems.tagManagerWriting();
      if (kind === 'snapshot') await jobs.stop(tenantId);
    },

    /** Of what is chosen now. What was chosen before may be stored still. */
    async newest(tenantId: string): Promise<Judged | undefined> {
      const snapshot = await store.newest(tenantId);
      if (snapshot === undefined || !isOfChosen(snapshot, tenantId)) return undefined;
      return judge.judged(snapshot);
    },

    /** When it is disconnected: nothing of a container stays here. */
    forget: (tenantId: string): Promise<void> => store.forget(tenantId),
  };

  function isOfChosen({ view }: Snapshot, tenantId: string): boolean {
    try {
      return isSame(view.of, connection.chosen(tenantId));
    } catch (error) {
      if (error instanceof TagManagerFault) return false;
      throw error;
    }
  }
}

const isVery = (a: Chosen, b: Chosen) =>
  a.account_id === b.account_id &&
  a.container_id === b.container_id &&
  a.workspace_id === b.workspace_id;
