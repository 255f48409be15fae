import type { Clock } from '../../platform/clock.ts';
import type { TagManagerFault } from '../faults.ts';
import type { NewEntry } from './audit-store.ts';
import type { Batch, Step } from './batch-store.ts';
import type { Clash } from './look.ts';
import type { Records, Verbs } from './records.ts';
import type { Change } from './store.ts';
import { called, capital, done, keptWords, problemWords, toDo } from './words.ts';

/** A batch, as far as its end is concerned. */
export interface Ended {
  tenantId: string;
  batch: Batch;
  steps: readonly Step[];
  changes: ReadonlyMap<string, Change>;
}

export type Ending = ReturnType<typeof createEnding>;

/** Decided anew: nobody has accepted what waits again. */
const UNDECIDED = { batch: null, decidedAt: null, decidedBy: null } as const;

/** How batches end: every status, and the word about it in the audit trail, in one transaction. */
export function createEnding({ records, clock }: { records: Records; clock: Clock }) {
  const end = (
    { tenantId, batch }: Ended,
    work: (
      verbs: Verbs,
      note: (entry: Omit<NewEntry, 'who'>) => void,
      now: string,
    ) => Promise<void>,
  ) =>
    records.write(async (verbs) => {
      const now = clock.now();
      const finishedAt = new Date(now).toISOString();
      const entries: NewEntry[] = [];
      await work(verbs, (entry) => entries.push({ who: batch.who, ...entry }), finishedAt);
      await verbs.note(tenantId, entries, now);
      await verbs.removeSteps(tenantId, batch.id);
      await verbs.setBatch(tenantId, batch.id, { phase: 'done', finishedAt });
    });

  return {
    applied: (it: Ended): Promise<void> =>
      end(it, async (verbs, note, appliedAt) => {
        for (const { change, step } of pairs(it)) {
          const to = {
            status: 'applied',
            objectId: step.objectId,
            appliedAt,
            problem: null,
          } as const;
          await verbs.set(it.tenantId, change.id, to);
          note({ deed: 'applied', changeId: change.id, words: done(change) });
        }
      }),

    /** Somebody else was there first, and nothing was written. */
    clashed: (it: Ended, clashes: readonly Clash[]): Promise<void> =>
      end(it, async (verbs, note) => {
        const names = clashes.map(({ change }) => called(change)).join(', ');
        await verbs.setDiffers(it.tenantId, it.batch);
        const others = `${problemWords.nothingWritten} Not as proposed any more: ${names}.`;
        for (const { change } of pairs(it)) {
          const clash = clashes.find((one) => one.change.id === change.id);
          await verbs.set(it.tenantId, change.id, {
            ...UNDECIDED,
            status: clash ? 'conflict' : 'proposed',
            current: clash?.current ?? null,
            problem: clash?.words ?? others,
          });
          if (clash) {
            const words = `${toDo(change)}: ${clash.words} ${problemWords.nothingWritten}`;
            note({ deed: 'conflict', changeId: change.id, words });
          }
        }
      }),

    /** It could not even be looked at. */
    notBegun: (it: Ended, { message, next }: TagManagerFault): Promise<void> =>
      end(it, async (verbs, note) => {
        const problem = `${problemWords.nothingWritten} ${message} ${next}`.trim();
        for (const { change } of pairs(it)) {
          await verbs.set(it.tenantId, change.id, { ...UNDECIDED, status: 'proposed', problem });
          note({ deed: 'failed', changeId: change.id, words: `${toDo(change)}: ${problem}` });
        }
      }),

    takenBack: (it: Ended): Promise<void> =>
      end(it, async (verbs, note, now) => {
        const { verdict } = it.batch;
        const failed = it.changes.get(verdict?.change ?? '');
        const told = `${verdict?.words ?? ''} ${verdict?.next ?? ''}`.trim();
        const why = failed ? ` ${capital(called(failed))}: ${told}` : '';
        const others = `${keptWords(it)}${why}`;
        for (const { change, step } of pairs(it)) {
          const isFailed = change.id === verdict?.change;
          const isClash = isFailed && verdict.code === 'conflict';
          if (step.state === 'left' && !isFailed) {
            await stays(verbs, it.tenantId, change, step, now);
            note({ deed: 'failed', changeId: change.id, words: `Not taken back: ${step.note}` });
            continue;
          }
          const problem = isFailed ? told : others;
          await verbs.set(it.tenantId, change.id, {
            ...UNDECIDED,
            status: isClash ? 'conflict' : 'proposed',
            current: isClash ? verdict.current : null,
            problem,
          });
          if (isFailed) {
            const words = `${toDo(change)}: ${told}`;
            note({ deed: isClash ? 'conflict' : 'failed', changeId: change.id, words });
          }
        }
      }),
  };
}

/** It was written, and could not be taken back: that it waits to be written would be untrue. */
async function stays(
  verbs: Verbs,
  tenantId: string,
  change: Change,
  { objectId, note }: Step,
  appliedAt: string,
): Promise<void> {
  const to = { status: 'applied', objectId: objectId ?? change.objectId, appliedAt } as const;
  await verbs.set(tenantId, change.id, { ...to, current: null, problem: note });
}

function pairs({ steps, changes }: Ended): { step: Step; change: Change }[] {
  return steps.flatMap((step) => {
    const change = changes.get(step.change);
    return change ? [{ step, change }] : [];
  });
}
