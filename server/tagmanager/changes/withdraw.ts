import type { Clock } from '../../platform/clock.ts';
import type { Jobs } from '../jobs.ts';
import type { Batch, Step } from './batch-store.ts';
import { close } from './decide.ts';
import type { Asking } from './propose.ts';
import type { Records, Verbs } from './records.ts';
import { OPEN } from './store.ts';
import type { Change } from './store.ts';
import { called } from './words.ts';

interface Parts {
  records: Records;
  jobs: Pick<Jobs, 'current' | 'stop'>;
  clock: Clock;
}

/** For when another container is chosen, or none is left: nothing open can be written any more. */
export function createWithdraw({ records, jobs, clock }: Parts) {
  async function withdraw(
    tenantId: string,
    why: string,
    who: string,
    also: (verbs: Verbs) => Promise<void>,
  ): Promise<void> {
    if (jobs.current(tenantId)?.kind === 'apply') await jobs.stop(tenantId);
    await records.write(async (verbs) => {
      const asking: Asking = { tenantId, who, now: clock.now() };
      const open = await verbs.some(tenantId, { statuses: OPEN });
      for (const batch of await verbs.unfinished(tenantId)) {
        await abandon(verbs, asking, batch, open, why);
      }
      for (const change of open) await close(verbs, asking, change, 'withdrawn', why);
      await also(verbs);
    });
  }

  return {
    withdraw: (tenantId: string, why: string, who = 'Vedette'): Promise<void> =>
      withdraw(tenantId, why, who, () => Promise.resolve()),

    /** What the container was made of goes too; the audit trail stays. */
    forget: (tenantId: string, why: string, who = 'Vedette'): Promise<void> =>
      withdraw(tenantId, why, who, (verbs) => verbs.emptyBodies(tenantId)),
  };
}

async function abandon(
  verbs: Verbs,
  { tenantId, who, now }: Asking,
  batch: Batch,
  open: readonly Change[],
  why: string,
): Promise<void> {
  const steps = await verbs.steps(tenantId, batch.id);
  const words = `Cannot be gone on with: ${why} ${left(steps, open)}`;
  await verbs.note(tenantId, [{ who, deed: 'failed', words }], now);
  await verbs.removeSteps(tenantId, batch.id);
  const finishedAt = new Date(now).toISOString();
  await verbs.setBatch(tenantId, batch.id, { phase: 'abandoned', finishedAt });
}

/** What of it stays in the tag manager. */
function left(steps: readonly Step[], changes: readonly Change[]): string {
  const names = (...states: Step['state'][]) =>
    steps
      .filter(({ state }) => states.includes(state))
      .flatMap((step) => changes.filter(({ id }) => id === step.change))
      .map((change) => `${change.action} ${called(change)}`)
      .join(', ');
  const written = names('written', 'left');
  const unknown = names('writing', 'undoing');
  const parts = [
    written && `Was written and stays: ${written}.`,
    unknown && `May have been written or taken back: ${unknown}.`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' ') : 'Nothing of it was written.';
}
