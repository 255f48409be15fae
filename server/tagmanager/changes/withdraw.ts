import type { Clock } from '../../platform/clock.ts';
import { TagManagerFault } from '../faults.ts';
import type { Jobs } from '../jobs.ts';
import { abandon, close } from './close.ts';
import type { ConnectionPart } from './parts.ts';
import type { Asking } from './propose.ts';
import type { Records, Verbs } from './records.ts';
import { OPEN } from './store.ts';
import { isIn } from './whereabouts.ts';
import type { Whereabouts } from './store.ts';
import { BY_ITSELF } from './words.ts';

interface Parts {
  connection: Pick<ConnectionPart, 'chosen'>;
  records: Records;
  jobs: Pick<Jobs, 'current' | 'stop'>;
  clock: Clock;
}

const OTHER_CHOSEN = 'Another container or workspace was chosen.';

export type Withdraw = ReturnType<typeof createWithdraw>;

/** For when another container is chosen, or none is left: nothing open can be written any more. */
export function createWithdraw({ connection, records, jobs, clock }: Parts) {
  /** Ends what is open of the places that are meant. */
  async function withdraw(
    { tenantId, who, now }: Asking,
    why: string,
    isMeant: (one: Whereabouts) => boolean,
    also: (verbs: Verbs) => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    if (jobs.current(tenantId)?.kind === 'apply') await jobs.stop(tenantId);
    await records.write(async (verbs) => {
      const asking: Asking = { tenantId, who, now };
      for (const batch of (await verbs.unfinished(tenantId)).filter(isMeant)) {
        await abandon(verbs, asking, batch, 'withdrawn', why);
      }
      const open = await verbs.heads(tenantId, { statuses: OPEN });
      for (const change of open.filter(isMeant)) {
        await close(verbs, asking, change, 'withdrawn', why);
      }
      await also(verbs);
    });
  }

  return {
    /**
     * Ends what is of another workspace than the one that is chosen now. Choosing does so; after
     * a crash in between, whoever comes next does.
     */
    async tidy(tenantId: string, who = BY_ITSELF): Promise<void> {
      const chosen = chosenNow(connection, tenantId);
      if (chosen === undefined) return;
      const isElsewhere = (one: Whereabouts) => !isIn(one, chosen);
      const open = await records.read(async (verbs) => [
        ...(await verbs.unfinished(tenantId)),
        ...(await verbs.heads(tenantId, { statuses: OPEN })),
      ]);
      if (!open.some(isElsewhere)) return;
      await withdraw({ tenantId, who, now: clock.now() }, OTHER_CHOSEN, isElsewhere);
    },

    /** What the container was made of goes too; the audit trail stays. */
    forget: (tenantId: string, why: string, who = BY_ITSELF): Promise<void> =>
      withdraw(
        { tenantId, who, now: clock.now() },
        why,
        () => true,
        (verbs) => verbs.emptyBodies(tenantId),
      ),
  };
}

function chosenNow(connection: Parts['connection'], tenantId: string) {
  try {
    return connection.chosen(tenantId);
  } catch (error) {
    if (error instanceof TagManagerFault) return undefined;
    throw error;
  }
}
