import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import writeFileAtomic from 'write-file-atomic';
import type { Clock } from '../platform/clock.ts';
import { setAside, syncDirectory } from '../platform/files.ts';
import { createMutex } from '../platform/mutex.ts';
import { momentOf } from '../platform/text.ts';
import { repaired } from './left.ts';
import type { Say } from './left.ts';
import { nameOfFile, segmentNamed, timeOfSegment } from './segment.ts';
import type { Segment } from './segment.ts';
import type { SegmentList } from './segment-list.ts';
import type { EventStore } from './store.ts';

interface Parts {
  /** Within the journal's, so that a segment comes here by being renamed. */
  dir: string;
  /** Of what is in it, so that what is missing is noticed. */
  list: SegmentList;
  store: Pick<EventStore, 'knownSegments' | 'foldSegments' | 'forgetSegments'>;
  clock: Clock;
  say: Say;
  /** With less of the disk free, keeping it would be at the cost of what is still to come. */
  freeShare?: number;
}

const BUNDLE_BYTES = 16 << 20;
const BUNDLE_FILES = 500;
const BUNDLE_AGE = 60 * 60_000;
/** With less than that waiting, compressing leaves the processor to a busy hour. */
const PATIENT_BYTES = 512 << 20;

/** `<its first segment>+<how many>.ndjson.zst`. */
const BUNDLE = /^((\d{15}-\d{6}-[0-9a-f]{12})\+\d+)\.ndjson\.(zst|gz)$/;
const HEADING = /^\{"segment":"([^"]+)"\}\n$/;

// The desktop program may run on a Node that has no zstd yet.
const HAS_ZSTD = typeof zlib.zstdCompress === 'function';
const compressed = promisify(HAS_ZSTD ? zlib.zstdCompress : zlib.gzip) as (
  text: Buffer,
) => Promise<Buffer>;

/**
 * The journal back to the last backup: segments that a checkpoint holds, first as they were written,
 * then many compressed into one bundle. With them a database that is older, or lost, is brought up to
 * now: what the database knows by name is passed over, so each segment is stored exactly once.
 */
export function createKept({ dir, list, store, clock, say, freeShare = 0.05 }: Parts) {
  const inTurn = createMutex();
  const dropped = path.join(dir, 'dropped');

  /** Of segments that are not compressed yet, and of bundles; oldest first. */
  async function look() {
    const files = (await readdir(dir).catch(none)).sort();
    return {
      segments: files.flatMap((file) => nameOfFile(file) ?? []).map((n) => segmentNamed(dir, n)),
      bundles: files.flatMap((file) => {
        const [, name, first] = BUNDLE.exec(file) ?? [];
        return name && first ? [{ name, first, file: path.join(dir, file) }] : [];
      }),
    };
  }

  async function bundle(parts: readonly Segment[]): Promise<void> {
    const name = `${parts[0]?.name ?? ''}+${parts.length}`;
    const texts: Buffer[] = [];
    for (const part of parts) {
      texts.push(Buffer.from(`${JSON.stringify({ segment: part.name })}\n`));
      texts.push(await readFile(part.file));
    }
    const file = path.join(dir, `${name}.ndjson.${HAS_ZSTD ? 'zst' : 'gz'}`);
    await writeFileAtomic(file, await compressed(Buffer.concat(texts)), { mode: 0o600 });
    await syncDirectory(dir);
    await takePlace(
      name,
      parts.map((part) => part.name),
    );
  }

  /** Of its segments: their names are forgotten only when their files cannot come back. */
  async function takePlace(bundle: string, names: readonly string[]): Promise<void> {
    await list.replace(names, [bundle]);
    for (const name of names) await rm(segmentNamed(dir, name).file, { force: true });
    await syncDirectory(dir);
    await store.foldSegments(bundle, names);
  }

  /** False when nothing is due. */
  async function bundleNext(isBusy: boolean): Promise<boolean> {
    const { segments } = await look();
    const known = await store.knownSegments();
    const parts: Segment[] = [];
    let bytes = 0;
    let waiting = 0;
    for (const segment of segments.filter(({ name }) => known.has(name))) {
      const { size } = await stat(segment.file);
      waiting += size;
      if (parts.length >= BUNDLE_FILES || bytes >= BUNDLE_BYTES) continue;
      parts.push(segment);
      bytes += size;
    }
    if (parts.length === 0 || (isBusy && waiting < PATIENT_BYTES)) return false;
    const begun = timeOfSegment(parts[0]?.name ?? '');
    const isDue =
      bytes >= BUNDLE_BYTES || parts.length >= BUNDLE_FILES || clock.now() - begun >= BUNDLE_AGE;
    if (isDue) await bundle(parts);
    return isDue;
  }

  async function replayBundle(
    { name, first, file }: { name: string; first: string; file: string },
    known: ReadonlySet<string>,
    ingest: (segment: Segment) => Promise<void>,
  ): Promise<void> {
    let text: Buffer;
    try {
      text = await decompressed(file);
    } catch (error) {
      if (!isDamaged(error)) throw error;
      await list.without([name]);
      const keptIn = await setAside(file, clock.now(), say.asideDir);
      say.notices.push(
        `A file of the kept journal was damaged and was set aside as ${keptIn}. Events accepted from ${momentOf(timeOfSegment(first))} on may be missing.`,
      );
      return;
    }
    const parts = partsOf(text);
    for (const part of parts.filter((one) => !known.has(one.name))) {
      const segment = { ...segmentNamed(dir, part.name), file: path.join(dir, 'replayed.tmp') };
      await writeFile(segment.file, part.text);
      if (await repaired(segment, say, undefined)) await ingest(segment);
      await rm(segment.file);
    }
    await takePlace(
      name,
      parts.map((part) => part.name),
    );
  }

  /** The oldest first; where it was needed after all, it is known what is missing. */
  async function makeRoom(): Promise<void> {
    for (;;) {
      const { bavail, blocks } = await statfs(path.dirname(dir));
      if (bavail >= blocks * freeShare) return;
      const { segments, bundles } = await look();
      const known = await store.knownSegments();
      const [oldest] = [...bundles, ...segments]
        .filter(({ name }) => known.has(name))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      if (oldest === undefined) return;
      // On a disk that is full to the last byte its name stays, and the database goes on knowing it.
      const isUnlisted = await list.without([oldest.name]).then(
        () => true,
        () => false,
      );
      await rm(oldest.file);
      await appendFile(dropped, `${new Date(timeOfSegment(oldest.name)).toISOString()}\n`).catch(
        () => undefined,
      );
      await syncDirectory(dir);
      if (isUnlisted) await store.forgetSegments([oldest.name]);
    }
  }

  async function sayWhatWasDropped(): Promise<void> {
    const times = (await readFile(dropped, 'utf8').catch(() => '')).split('\n').filter(Boolean);
    if (times.length === 0) return;
    const [from, to] = [times[0] ?? '', times.at(-1) ?? ''].map((time) =>
      momentOf(Date.parse(time)),
    );
    say.notices.push(
      `Events accepted between ${from} and about ${to} may be missing. The disk was nearly full, so the journal of that time was not kept.`,
    );
  }

  /** Says what is listed and gone, where the database does not hold it; lists what a kill left out. */
  async function compareWithList(known: ReadonlySet<string>): Promise<void> {
    const listed = list.names();
    const { segments, bundles } = await look();
    const there = new Set([...bundles, ...segments].map(({ name }) => name));
    const missing = listed.filter((name) => !there.has(name) && !known.has(name));
    for (const name of missing) {
      say.notices.push(
        `The file ${name} of the kept journal is missing. Events accepted from ${momentOf(timeOfSegment(name))} on may be lost.`,
      );
    }
    const unlisted = [...there].filter((name) => !listed.includes(name));
    // On a full disk it is for the next time.
    if (missing.length + unlisted.length > 0) {
      await list.replace(missing, unlisted).catch(() => undefined);
    }
  }

  return {
    /** A checkpoint holds them. */
    keep: (segments: readonly Segment[]): Promise<void> =>
      inTurn(async () => {
        await mkdir(dir, { recursive: true });
        for (const { file } of segments) {
          await rename(file, path.join(dir, path.basename(file))).catch((error: unknown) => {
            // Moved by an earlier try, or deleted by somebody.
            if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
          });
        }
        await syncDirectory(dir);
        await syncDirectory(path.dirname(dir));
        const there = new Set((await look()).segments.map(({ name }) => name));
        const names = segments.map(({ name }) => name).filter((name) => there.has(name));
        if (names.length > 0) await list.replace([], names);
      }),

    /** Brings the database up to what is kept. At most starts it holds everything. */
    replay: (ingest: (segment: Segment) => Promise<void>): Promise<void> =>
      inTurn(async () => {
        const known = await store.knownSegments();
        await compareWithList(known);
        const unknown = (await look()).bundles.filter(({ name }) => !known.has(name));
        for (const one of unknown) await replayBundle(one, known, ingest);
        // Without those that a bundle has taken the place of.
        const segments = (await look()).segments.filter(({ name }) => !known.has(name));
        for (const segment of segments) {
          if (await repaired(segment, say, undefined)) await ingest(segment);
        }
        if (segments.length > 0 || unknown.length > 0) await sayWhatWasDropped();
      }),

    /** Called every minute; leaves what is little and new for later. */
    async compress({ isBusy }: { isBusy: boolean }): Promise<void> {
      await inTurn(makeRoom);
      // A checkpoint waits for one bundle at most.
      while (await inTurn(() => bundleNext(isBusy)));
    },

    /** A backup knows these names. */
    forget: (names: ReadonlySet<string>): Promise<void> =>
      inTurn(async () => {
        const { segments, bundles } = await look();
        const held = [...bundles, ...segments].filter(({ name }) => names.has(name));
        const unlisted = list.names().filter((name) => names.has(name));
        if (unlisted.length > 0) await list.without(unlisted);
        for (const { file } of held) await rm(file);
        await rm(dropped, { force: true });
        if (held.length > 0) await syncDirectory(dir);
        await store.forgetSegments([...held.map(({ name }) => name), ...unlisted]);
      }),

    /** Names of all that is kept as it was written. */
    names: async (): Promise<Set<string>> =>
      new Set((await look()).segments.map(({ name }) => name)),
  };
}

export type Kept = ReturnType<typeof createKept>;

const none = (error: unknown): string[] => {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
  throw error;
};

async function decompressed(file: string): Promise<Buffer> {
  const bytes = await readFile(file);
  const unpack = file.endsWith('.gz') ? zlib.gunzip : zlib.zstdDecompress;
  return (await promisify(unpack)(bytes)) as Buffer;
}

const isDamaged = (error: unknown) => /^(Z_|ZSTD_|ERR_ZLIB|ERR_ZSTD)/.test(codeOf(error));
const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? '';

function partsOf(text: Buffer): { name: string; text: Buffer }[] {
  const parts: { name: string; text: Buffer }[] = [];
  let start = 0;
  let begun = 0;
  for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10, start)) {
    const [, name] =
      HEADING.exec(text.toString('latin1', start, Math.min(end + 1, start + 200))) ?? [];
    start = end + 1;
    if (name !== undefined) {
      parts.push({ name, text: text.subarray(start, start) });
      begun = start;
    } else {
      const part = parts.at(-1);
      if (part) part.text = text.subarray(begun, start);
    }
  }
  return parts;
}

/** Of events within a minute: their sender comes first. */
const BUSY = 100_000;

/** Called every minute. */
export function createCompressing({ kept, accepted }: { kept: Kept; accepted: () => number }) {
  let before = 0;
  return (): Promise<void> => {
    const now = accepted();
    const isBusy = now - before > BUSY;
    before = now;
    return kept.compress({ isBusy });
  };
}
