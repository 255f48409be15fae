import { appendFile, mkdir, readdir, readFile, rm, truncate } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { Notices } from '../platform/notices.ts';
import { syncDirectory } from '../platform/files.ts';
import { momentOf } from '../platform/text.ts';
import { measure, nameOfFile, segmentNamed, timeOfSegment } from './segment.ts';
import type { LineRange, Segment } from './segment.ts';
import type { SegmentList } from './segment-list.ts';

interface Parts {
  dir: string;
  list: SegmentList;
  /** Those that the database holds. */
  known: ReadonlySet<string>;
  /** Those that were moved out of the journal already. */
  kept: ReadonlySet<string>;
  say: Say;
}

/** Where what cannot be read goes, and who is told. */
export interface Say {
  asideDir: string;
  notices: Notices;
  log: { info(fields: object, message: string): void };
}

export interface Left {
  /** In the database, but perhaps in no checkpoint. */
  stored: Segment[];
  unstored: Segment[];
}

/** What an earlier run left in the journal, oldest first, each line of it as it was written. */
export async function findLeft({ dir, list, known, kept, say }: Parts): Promise<Left> {
  const left: Left = { stored: [], unstored: [] };
  const empty: Segment[] = [];
  const names = (await readdir(dir)).flatMap((file) => nameOfFile(file) ?? []).sort();
  const there = new Set(names);
  if (!list.wasThere && known.size > 0) {
    say.notices.push(
      'The list of the journal’s files was missing at the start. Events accepted shortly before Vedette stopped may be lost.',
    );
  }
  for (const name of list.names()) {
    if (there.has(name) || known.has(name) || kept.has(name)) continue;
    say.notices.push(segmentMissing(name));
  }
  for (const name of names) {
    const segment = segmentNamed(dir, name);
    if (known.has(name)) left.stored.push(segment);
    else if (await repaired(segment, say, list.sizeOf(name))) left.unstored.push(segment);
    else empty.push(segment);
  }
  const gone = list.names().filter((name) => !there.has(name));
  // In this order, or what was empty would be missed. On a full disk it is for the next start.
  await list
    .without([...gone, ...empty.map(({ name }) => name)])
    .then(() => Promise.all(empty.map(({ file }) => rm(file))))
    .catch(() => undefined);
  return left;
}

export const begunAt = (name: string) => momentOf(timeOfSegment(name));

export const segmentMissing = (name: string): string =>
  `The journal file ${name}.ndjson is missing. Events accepted within about a minute after ${begunAt(name)} are lost.`;

/** Measures it, and leaves out what is not as it was written. False when nothing is left of it. */
export async function repaired(
  segment: Segment,
  say: Say,
  sealedBytes: number | undefined,
): Promise<boolean> {
  const { bad, size } = await measure(segment);
  if (sealedBytes !== undefined && size < sealedBytes) {
    say.notices.push(segmentCutShort(segment.name));
  }
  if (size > segment.bytes) await truncate(segment.file, segment.bytes);
  if (bad.length > 0) await leaveOut(segment, bad, say, sealedBytes !== undefined);
  return segment.bytes > 0;
}

export const segmentCutShort = (name: string): string =>
  `The journal file ${name}.ndjson was cut short. Some events accepted within about a minute after ${begunAt(name)} are lost.`;

const UNWRITTEN = Buffer.alloc(32);

async function leaveOut(
  segment: Segment,
  bad: readonly LineRange[],
  { asideDir, notices, log }: Say,
  wasSealed: boolean,
): Promise<void> {
  const text = await readFile(segment.file);
  const lines = bad.map(({ start, end }) => text.subarray(start, end));
  const keptIn = await setLinesAside(asideDir, segment, lines);
  await writeFileAtomic(segment.file, Buffer.concat(between(text, bad)));
  await syncDirectory(path.dirname(segment.file));
  await measure(segment);
  // A power cut leaves zeros in what it interrupts, of which nothing was acknowledged.
  const isTorn = !wasSealed && lines.every((line) => line.includes(UNWRITTEN));
  if (isTorn)
    log.info({ keptIn }, 'A write that was cut off was set aside; nothing in it was acknowledged');
  else notices.push(linesSetAside(bad.length, keptIn));
}

export function linesSetAside(count: number, keptIn: string): string {
  const requests = count === 1 ? '1 request' : `${count} requests`;
  return `The journal was damaged: the events of ${requests} could not be read and were set aside in ${keptIn}.`;
}

/** Nothing is ever deleted for being broken. */
export async function setLinesAside(
  asideDir: string,
  segment: Segment,
  lines: readonly Buffer[],
): Promise<string> {
  const keptIn = path.join(asideDir, `${segment.name}.ndjson`);
  await mkdir(asideDir, { recursive: true });
  await appendFile(keptIn, Buffer.concat(lines), { flush: true });
  return keptIn;
}

function between(text: Buffer, left: readonly LineRange[]): Buffer[] {
  const starts = [0, ...left.map(({ end }) => end)];
  const ends = [...left.map(({ start }) => start), text.length];
  return starts.map((start, i) => text.subarray(start, ends[i]));
}
