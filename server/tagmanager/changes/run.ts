import type { Clock } from '../../platform/clock.ts';
import { TagManagerFault } from '../faults.ts';
import { faults } from '../fault-words.ts';
import type { JobHandle } from '../jobs.ts';
import type { NewEntry } from './audit-store.ts';
import type { Batch, Step, Verdict } from './batch-store.ts';
import type { Ending } from './ending.ts';
import { clashesOf, looksFor } from './look.ts';
import type { Clash } from './look.ts';
import type { Records } from './records.ts';
import { referenceTo, withRefs } from './references.ts';
import type { Site } from './site.ts';
import type { Change } from './store.ts';
import { takeBack } from './take-back.ts';
import { called, capital, keptWords, problemWords, toDo } from './words.ts';
import { isToAll, write } from './write.ts';

export interface Run {
  tenantId: string;
  batch: Batch;
  steps: Step[];
  /** Those of the batch and those that they need, by id. */
  changes: Map<string, Change>;
  site: Site;
  job: JobHandle;
  records: Records;
  ending: Ending;
  clock: Clock;
}

/**
 * Brings a batch to its end from wherever it was left: all of it is written, or nothing. What it
 * throws leaves it as it is, to be gone on with.
 */
export async function run(it: Run): Promise<void> {
  if (it.batch.phase === 'looking') await look(it);
  if (it.batch.phase === 'writing' && (await writeAll(it))) return;
  await takeAllBack(it);
  const { code = 'refused', words = '', next = '' } = it.batch.verdict ?? {};
  throw new TagManagerFault(code, words, `${next} ${keptWords(it)}`.trim());
}

/** Throws unless all is as it was when the changes were proposed. */
async function look(it: Run): Promise<void> {
  const { tenantId, batch, site, job, ending } = it;
  const own = it.steps.map((step) => changeOf(it, step));
  job.expect(1 + looksFor(own) + own.length);
  job.step('Looking at what is there');
  try {
    await site.arrive();
    const clashes = await clashesOf(own, site);
    if (clashes[0] !== undefined) throw await clashed(it, clashes, clashes[0]);
  } catch (error) {
    // Nothing was written, so nothing is in the way of trying all of it again.
    const isOver = error instanceof TagManagerFault && !KEPT.has(error.code);
    if (isOver) await ending.notBegun(it, error);
    throw error;
  }
  await it.records.write((verbs) => verbs.setBatch(tenantId, batch.id, { phase: 'writing' }));
  batch.phase = 'writing';
}

/** After these there is nothing to be put down about a batch that was only looked at. */
const KEPT: ReadonlySet<string> = new Set(['stopped', 'conflict']);

async function clashed(it: Run, clashes: readonly Clash[], first: Clash): Promise<TagManagerFault> {
  await it.ending.clashed(it, clashes);
  const words = `${capital(called(first.change))}: ${first.words}`;
  return new TagManagerFault('conflict', words, problemWords.nothingWritten);
}

/** False when it has to be taken back. */
async function writeAll(it: Run): Promise<boolean> {
  const { job, steps } = it;
  for (const [i, step] of steps.entries()) {
    if (step.state === 'written') continue;
    const change = changeOf(it, step);
    goOn(job);
    job.step(`Writing ${i + 1} of ${steps.length}: ${called(change)}`);
    const verdict = await write({
      ...{ change, step, site: it.site, body: bodyFor(it, change) },
      remember: (to) => remember(it, step, to),
    });
    if (verdict !== null) {
      // Taking back what is written would be refused just the same, so it waits for the rest.
      const isHalfDone = steps.some(({ state }) => state === 'written');
      if (isHalfDone && isToAll(verdict)) {
        throw new TagManagerFault(verdict.code, verdict.words, verdict.next);
      }
      await turnBack(it, step, verdict);
      return false;
    }
  }
  await it.ending.applied(it);
  return true;
}

/** From here on it is taken back, whatever happens. */
async function turnBack({ tenantId, batch, records }: Run, step: Step, verdict: Verdict) {
  const state = step.state === 'left' ? 'left' : 'waiting';
  await records.write(async (verbs) => {
    await verbs.setStep(tenantId, batch.id, { ...step, state });
    await verbs.setBatch(tenantId, batch.id, { phase: 'undoing', verdict });
  });
  step.state = state;
  Object.assign(batch, { phase: 'undoing', verdict });
}

async function takeAllBack(it: Run): Promise<void> {
  const { job, steps, site } = it;
  const written = steps.filter(({ state }) => state === 'written' || state === 'undoing');
  for (const step of written.reverse()) {
    const change = changeOf(it, step);
    goOn(job);
    job.step(`Taking back what was written: ${called(change)}`);
    await takeBack({
      ...{ change, step, site, newIds: newIdsOf(it) },
      remember: (to, before) => remember(it, step, to, before),
    });
  }
  await it.ending.takenBack(it);
}

/** An object that is put back has another fingerprint, and maybe another id, than it had. */
async function remember(
  it: Run,
  step: Step,
  to: Partial<Step>,
  before?: Change['before'],
): Promise<void> {
  const { tenantId, batch, records, changes, clock } = it;
  const change = changes.get(step.change);
  const next = { ...step, ...to };
  const object = before ? { before, objectId: next.objectId } : undefined;
  await records.write(async (verbs) => {
    await verbs.setStep(tenantId, batch.id, next);
    await verbs.setDiffers(tenantId, batch);
    if (object) await verbs.set(tenantId, step.change, object);
    if (to.state === 'undone' && change)
      await verbs.note(tenantId, [undone(it, change, next)], clock.now());
  });
  if (object && change) changes.set(step.change, { ...change, ...object });
  Object.assign(step, next);
}

/** It is said at once: whether the batch ever comes to its end is not known. */
function undone({ batch: { who } }: Run, change: Change, { objectId, formerId }: Step): NewEntry {
  const isNew = formerId !== null && formerId !== objectId;
  const words = `Taken back: ${toDo(change)}${isNew ? `, which has the id ${objectId} now` : ''}`;
  return { who, deed: 'undone', changeId: change.id, words };
}

function newIdsOf({ steps, changes }: Run): Map<string, string> {
  const ids = new Map<string, string>();
  for (const { change: id, formerId, objectId } of steps) {
    const kind = changes.get(id)?.kind;
    if (formerId !== null && objectId !== null) ids.set(`${kind}/${formerId}`, objectId);
  }
  return ids;
}

/** As it is sent: with the ids of what was made before it. */
function bodyFor({ steps, changes, site }: Run, { after }: Change): Change['after'] {
  if (after === null) return null;
  return withRefs(after, (ref, field) => {
    const id = steps.find(({ change }) => change === ref)?.objectId ?? changes.get(ref)?.objectId;
    return id ? referenceTo(site.container, id, field) : undefined;
  });
}

function changeOf({ changes }: Run, step: Step): Change {
  const change = changes.get(step.change);
  if (change === undefined) throw new Error(`A batch has lost its change ${step.change}`);
  return change;
}

/** Between two writes is the place to stop. */
function goOn({ signal }: JobHandle): void {
  if (signal.aborted) throw faults.stopped();
}
