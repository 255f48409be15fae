import { mkdir, open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { readAtStart, syncDirectory } from '../platform/files.ts';
import { createMutex } from '../platform/mutex.ts';
import { createLineCheck, withChecksums } from './checksum.ts';

type Entry = { made: string } | { sealed: string; bytes: number };

/**
 * Which segments there are, beside the segments themselves, so that one that is missing or cut short
 * is noticed. One of the journal stands in its list before anything in it is acknowledged, one of
 * the kept journal only once its file is there to stay.
 */
export async function openSegmentList(dir: string) {
  const file = path.join(dir, 'list');
  const inTurn = createMutex();
  /** By name, with its size once it was sealed. */
  const found = await read(file);
  let listed = found ?? new Map<string, number | undefined>();
  let handle: FileHandle | undefined;

  async function add(entry: Entry): Promise<FileHandle> {
    handle ??= await open(file, 'a', 0o600);
    await handle.appendFile(lineOf(entry));
    note(listed, entry);
    return handle;
  }

  /** The whole of it anew; its folder too, if somebody took that away. */
  const replace = (gone: readonly string[], come: readonly string[]): Promise<void> =>
    inTurn(async () => {
      const next = new Map(listed);
      for (const name of gone) next.delete(name);
      for (const name of come) next.set(name, next.get(name));
      const isAnew = (await mkdir(dir, { recursive: true })) !== undefined;
      await writeFileAtomic(file, [...next].flatMap(entriesOf).map(lineOf).join(''), {
        mode: 0o600,
      });
      await syncDirectory(dir);
      if (isAnew) await syncDirectory(path.dirname(dir));
      await handle?.close();
      handle = undefined;
      listed = next;
    });

  return {
    /** Whether there was a list when it was opened. */
    wasThere: found !== undefined,

    made: (name: string): Promise<void> =>
      inTurn(async () => {
        await (await add({ made: name })).datasync();
      }),

    /** Not synced: without this, it looks like the one that was being written at a crash. */
    sealed: (name: string, bytes: number): Promise<void> =>
      inTurn(async () => {
        await add({ sealed: name, bytes });
      }),

    /** Before their files go from the journal. */
    without: (names: readonly string[]): Promise<void> => replace(names, []),
    replace,

    names: (): string[] => [...listed.keys()],
    /** Unknown of one that was still being written. */
    sizeOf: (name: string): number | undefined => listed.get(name),

    close: (): Promise<void> =>
      inTurn(async () => {
        await handle?.close();
        handle = undefined;
      }),
  };
}

export type SegmentList = Awaited<ReturnType<typeof openSegmentList>>;

const lineOf = (entry: Entry) =>
  withChecksums([{ pieces: [`${JSON.stringify(entry)}\n`] }]).join('');

function entriesOf([name, bytes]: [string, number | undefined]): Entry[] {
  const made = { made: name };
  return bytes === undefined ? [made] : [made, { sealed: name, bytes }];
}

function note(listed: Map<string, number | undefined>, entry: Entry): void {
  if ('made' in entry) listed.set(entry.made, undefined);
  else if (listed.has(entry.sealed)) listed.set(entry.sealed, entry.bytes);
}

/** Lines that are not as they were written only leave out what could have been noticed. */
async function read(file: string): Promise<Map<string, number | undefined> | undefined> {
  const text = await readAtStart(file);
  if (text === undefined) return undefined;
  const listed = new Map<string, number | undefined>();
  const check = createLineCheck();
  let start = 0;
  for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10, start)) {
    const line = text.subarray(start, end + 1);
    start = end + 1;
    check.add(line);
    if (check.end()) note(listed, JSON.parse(line.toString()) as Entry);
  }
  return listed;
}
