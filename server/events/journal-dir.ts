import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../platform/clock.ts';
import { removeLeftovers } from '../platform/files.ts';
import { createKept } from './kept.ts';
import { findLeft } from './left.ts';
import type { Say } from './left.ts';
import { openSegmentList } from './segment-list.ts';
import type { EventStore } from './store.ts';

interface Parts {
  dir: string;
  store: EventStore;
  clock: Clock;
  say: Say;
}

/** Half-written by a crash; nobody reads them again. */
const LEFTOVER = /^pieces-|\.tmp$|\.\d+$/;

/**
 * The folder of the journal: segments that the database may not hold yet, the list of them, and in
 * `kept/` those that go back to the last backup.
 */
export async function openJournalDir({ dir, store, clock, say }: Parts) {
  const keptDir = path.join(dir, 'kept');
  await mkdir(dir, { recursive: true });
  await removeLeftovers(dir, LEFTOVER);
  await removeLeftovers(keptDir, LEFTOVER);
  const list = await openSegmentList(dir);
  const kept = createKept({
    dir: keptDir,
    list: await openSegmentList(keptDir),
    store,
    clock,
    say,
  });
  const [known, keptNames] = await Promise.all([store.knownSegments(), kept.names()]);
  const left = await findLeft({ dir, list, known, kept: keptNames, say });
  return { list, kept, left };
}
