import type { Clock } from '../../platform/clock.ts';
import { problems } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { FaultCode } from '../connection/schema.ts';
import { faults, unforeseen } from '../fault-words.ts';
import { TagManagerFault } from '../faults.ts';
import type { JobHandle, Jobs } from '../jobs.ts';
import { accept } from './accept.ts';
import type { Batch } from './batch-store.ts';
import { createEnding } from './ending.ts';
import { asProblem } from './ground.ts';
import { noteInterrupted, noteResumed } from './interruption.ts';
import type { ConnectionPart, SnapshotsPart } from './parts.ts';
import type { Asking } from './propose.ts';
import type { Records, Verbs } from './records.ts';
import { run } from './run.ts';
import { createSite } from './site.ts';
import type { Change } from './store.ts';
import { isIn } from './whereabouts.ts';
import type { Withdraw } from './withdraw.ts';
import { BY_ITSELF } from './words.ts';

export interface ApplyParts {
  connection: ConnectionPart;
  snapshots: Pick<SnapshotsPart, 'begin' | 'newest'>;
  jobs: Pick<Jobs, 'start' | 'current' | 'idle'>;
  records: Records;
  tidy: Withdraw['tidy'];
  clock: Clock;
  log: Pick<Logger, 'warn' | 'error'>;
}

/** What stays in the way until somebody has put it right. */
const LASTING: ReadonlySet<FaultCode> = new Set([
  ...(['grant_ended', 'tokens_unreadable', 'wrong_account', 'no_permission'] as const),
  ...(['api_disabled', 'workspace_gone', 'missing_scope', 'access_failed'] as const),
]);

export type Apply = ReturnType<typeof createApply>;

/** Accepts changes, and writes them in the background. */
export function createApply(parts: ApplyParts) {
  const { connection, snapshots, jobs, records, tidy, clock, log } = parts;
  const ending = createEnding(parts);

  /** Throws what stands in the way, before anything is decided. */
  function checkMayWrite(tenantId: string): void {
    asProblem(() => connection.apiFor(tenantId));
    asProblem(() => connection.chosen(tenantId));
    if (!connection.mayEdit(tenantId)) throw problems.tagManagerFault(faults.missingScope());
    if (jobs.current(tenantId) !== null) throw problems.tagManagerBusy();
  }

  async function runBatch(tenantId: string, batch: Batch, job: JobHandle): Promise<void> {
    const { changes, steps } = await records.read((verbs) => loaded(verbs, tenantId, batch));
    const site = createSite({ connection, tenantId, call: job.call });
    if (!isIn(batch, connection.chosen(tenantId))) throw faults.stopped();
    // While a job of ours is under way, no other takes its place.
    const newest = await snapshots.newest(tenantId);
    const now = { ...batch, snapshot: newest?.view.id ?? null };
    await run({ tenantId, batch: now, steps, changes, site, job, records, ending, clock });
  }

  /** Whatever was left behind is brought to its end, the oldest first. */
  async function runAll(tenantId: string, job: JobHandle): Promise<void> {
    try {
      for (const batch of await records.read((verbs) => verbs.unfinished(tenantId))) {
        await runBatch(tenantId, batch, job);
      }
      await connection.cleared(tenantId);
    } catch (error) {
      await tell(tenantId, faultOf(error, job)).catch((failed: unknown) => {
        log.error({ err: failed }, 'Why writing was interrupted could not be put down');
      });
      throw error;
    }
  }

  async function tell(tenantId: string, fault: TagManagerFault): Promise<void> {
    // The trail comes first, lest it lose this when the other cannot be told.
    await records.write((verbs) => noteInterrupted(verbs, tenantId, fault, clock.now()));
    if (LASTING.has(fault.code)) await connection.report(tenantId, fault);
  }

  /** While this is done nothing is written, nor read anew. Throws when something is under way. */
  async function alone<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    let working: Promise<T> | undefined;
    const once = () => (working ??= work());
    jobs.start(tenantId, 'apply', () =>
      once().then(
        () => undefined,
        () => undefined,
      ),
    );
    void follow(tenantId);
    return once();
  }

  /** Throws at once when something else is under way; `mark` is part of the job. */
  function begin(tenantId: string, mark: () => Promise<void>): { marked: Promise<void> } {
    let marking: Promise<void> | undefined;
    const marked = () => (marking ??= mark());
    let signal: AbortSignal | undefined;
    jobs.start(tenantId, 'apply', async (job) => {
      ({ signal } = job);
      // What is wrong with the marking is told to who asked for it.
      const isMarked = await marked().then(
        () => true,
        () => false,
      );
      if (isMarked) await runAll(tenantId, job);
    });
    void follow(tenantId, () => signal?.aborted === true);
    return { marked: marked() };
  }

  /** What is known of the container is old once it was written to; one job follows the other. */
  async function follow(tenantId: string, isStopped: () => boolean = () => false): Promise<void> {
    try {
      await jobs.idle(tenantId);
      // Whoever stopped it has other plans, or all is being closed.
      if (isStopped()) return;
      const newest = await snapshots.newest(tenantId);
      const isOutdated = await records.read((verbs) => verbs.isOutdated(tenantId, newest?.view));
      if (isOutdated) await snapshots.begin(tenantId);
    } catch (error) {
      log.warn({ err: error }, 'No snapshot could be begun after changes were written');
    }
  }

  return {
    alone,

    /** Accepts all of these or none, and begins to write them. */
    async accept(asking: Asking, ids: readonly string[]): Promise<Change[]> {
      const { tenantId } = asking;
      checkMayWrite(tenantId);
      await tidy(tenantId);
      const chosen = connection.chosen(tenantId);
      const { marked } = begin(tenantId, () =>
        records.write((verbs) => accept(verbs, asking, [...new Set(ids)], chosen)),
      );
      await marked;
      return records.read((verbs) => verbs.some(tenantId, { ids }));
    },

    /** Goes on with what was interrupted. */
    async resume(asking: Asking): Promise<Change[]> {
      const { tenantId } = asking;
      await tidy(tenantId);
      const batches = await records.read((verbs) => verbs.unfinished(tenantId));
      if (batches.length === 0) return [];
      checkMayWrite(tenantId);
      const changes = await records.read((verbs) =>
        verbs.some(tenantId, { statuses: ['accepted'] }),
      );
      await begin(tenantId, () => records.write((verbs) => noteResumed(verbs, asking))).marked;
      return changes;
    },

    /** At the start of the appliance: what cannot be gone on with now waits to be asked for. */
    async start(): Promise<void> {
      for (const tenantId of await records.read((verbs) => verbs.tenantsWithOpen())) {
        await tidy(tenantId);
      }
      for (const tenantId of await records.read((verbs) => verbs.tenantsWithUnfinished())) {
        try {
          checkMayWrite(tenantId);
          const asking = { tenantId, who: BY_ITSELF, now: clock.now() };
          const mark = (verbs: Verbs) => noteResumed(verbs, asking, 'after a restart');
          await begin(tenantId, () => records.write(mark)).marked;
        } catch (error) {
          log.warn(
            { err: error, tenant: tenantId },
            'Changes that were accepted wait to be written',
          );
        }
      }
    },
  };
}

function faultOf(error: unknown, { signal }: JobHandle): TagManagerFault {
  if (error instanceof TagManagerFault) return error;
  return signal.aborted ? faults.stopped() : unforeseen();
}

async function loaded(verbs: Verbs, tenantId: string, { id }: Batch) {
  const own = await verbs.some(tenantId, { batch: id });
  const others = await verbs.some(tenantId, { ids: own.flatMap(({ needs }) => needs) });
  const changes = new Map([...others, ...own].map((change) => [change.id, change]));
  return { changes, steps: await verbs.steps(tenantId, id) };
}
