import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Random } from '../../helpers/random.ts';
import { Content } from './content.ts';
import type { Change } from './content.ts';
import type { Entry } from './trace.ts';

/**
 * What a power cut leaves of the writes of a trace:
 *
 * - `ordered`: everything up to the cut, in its order; a disk that is slow, but never lies.
 * - `strict`: only what POSIX promises. What was synced is there. Of all else any part may be
 *   missing, each write for itself, and so may each name that was made, moved or removed since its
 *   folder was synced. To move a name is one step: never are both names gone.
 * - `torn`: as `ordered`, but the write that was under way is new in some sectors and old in others,
 *   and others that were not synced yet may be too.
 */
export type Model = 'ordered' | 'strict' | 'torn';

interface File {
  /** What a power cut cannot take. */
  sure: Content;
  /** Changes since then, with their place in the trace. */
  open: { index: number; change: Change }[];
}

type Names = Map<string, File | 'folder'>;

/** A change of names: all of it or nothing. */
interface Naming {
  index: number;
  removes: [string, File | 'folder'][];
  adds: [string, File | 'folder'][];
  /** Those of its folders that were not synced since. */
  unsynced: Set<string>;
}

/** Goes through a trace; at each place it can say what a power cut there leaves. */
export function createReplay(entries: readonly Entry[]) {
  const now: Names = new Map();
  const sure: Names = new Map();
  let namings: Naming[] = [];
  const byInode = new Map<string, File>();
  const syncs = new Map<string, { begun: number; inode: string; name: string }>();
  let next = 0;

  const fileOf = (inode: string): File => {
    const file = byInode.get(inode);
    if (!file) throw new Error(`The trace changes a file that it did not see made (${inode})`);
    return file;
  };

  function name(removed: readonly string[], adds: Naming['adds'], index: number): void {
    const removes = removed.flatMap((one): Naming['removes'] => {
      const was = now.get(one);
      return was ? [[one, was]] : [];
    });
    const touched = [...removes, ...adds].map(([one]) => path.posix.dirname(one));
    const naming = { index, removes, adds, unsynced: new Set(touched) };
    apply(now, naming);
    namings.push(naming);
  }

  function take(entry: Entry, index: number): void {
    switch (entry.kind) {
      case 'create': {
        const file: File = { sure: new Content(), open: [] };
        byInode.set(entry.inode, file);
        name([], [[entry.name, file]], index);
        break;
      }
      case 'write':
      case 'zero':
      case 'truncate':
      case 'grow':
        fileOf(entry.inode).open.push({ index, change: entry });
        break;
      case 'sync':
        syncs.set(entry.number, { begun: index, ...entry });
        break;
      case 'synced':
        synced(syncs.get(entry.number));
        syncs.delete(entry.number);
        break;
      case 'rename': {
        const moved = now.get(entry.from);
        if (moved) name([entry.from], [[entry.to, moved]], index);
        break;
      }
      case 'link': {
        const linked = now.get(entry.from);
        if (linked) name([], [[entry.to, linked]], index);
        break;
      }
      case 'mkdir':
        // The data directory itself is there from the beginning.
        if (entry.name !== '.') name([], [[entry.name, 'folder']], index);
        break;
      case 'unlink':
      case 'rmdir':
        name([entry.name], [], index);
        break;
      case 'mark':
        break;
    }
  }

  function synced(sync: { begun: number; inode: string; name: string } | undefined): void {
    if (!sync) return;
    const { begun, name: folder } = sync;
    if (folder === '.' || now.get(folder) === 'folder') {
      for (const one of namings) if (one.index < begun) one.unsynced.delete(folder);
      for (const one of namings) if (one.unsynced.size === 0) apply(sure, one);
      namings = namings.filter(({ unsynced }) => unsynced.size > 0);
      return;
    }
    const file = byInode.get(sync.inode);
    if (!file) return;
    for (const { index, change } of file.open) if (index < begun) file.sure.make(change);
    file.open = file.open.filter(({ index }) => index >= begun);
  }

  /** The names and contents that a power cut leaves here. */
  function left(model: Model, random: Random): Map<string, Buffer | 'folder'> {
    const isStrict = model === 'strict';
    // Some cuts take nearly all that was not synced, some nearly nothing.
    const kept = { names: odds(random), data: odds(random) };
    const names: Names = isStrict ? new Map(sure) : now;
    if (isStrict) {
      for (const one of namings) {
        const possible = one.removes.every(([old, file]) => names.get(old) === file);
        if (possible && random.chance(kept.names)) apply(names, one);
      }
    }
    const contents = new Map<string, Buffer | 'folder'>();
    for (const [one, file] of names) {
      const folder = path.posix.dirname(one);
      if (folder !== '.' && names.get(folder) !== 'folder') continue;
      contents.set(one, file === 'folder' ? file : content(file, model, kept.data, random));
    }
    return contents;
  }

  function content({ sure, open }: File, model: Model, kept: number, random: Random): Buffer {
    const changes = open.flatMap(({ index, change }): Change[] => {
      if (model === 'ordered') return [change];
      if (model === 'strict') return random.chance(kept) ? [change] : [];
      return index === next - 1 || !random.chance(kept) ? torn(change, random) : [change];
    });
    return sure.with(changes);
  }

  return {
    /** Up to and with the entry of this index. */
    goTo(index: number): void {
      for (; next <= index; next++) take(entries[next] as Entry, next);
    },

    /** Writes down what a power cut leaves here. */
    write(dir: string, model: Model, random: Random): void {
      const contents = [...left(model, random)].sort(([a], [b]) => (a < b ? -1 : 1));
      for (const [one, content] of contents) {
        if (content === 'folder') mkdirSync(path.join(dir, one), { recursive: true });
        else writeFileSync(path.join(dir, one), content, { mode: 0o600 });
      }
    },
  };
}

const odds = (random: Random): number => [0, 0.3, 0.7, 0.95, 1][random.whole(0, 4)] as number;

function apply(names: Names, { removes, adds }: Naming): void {
  for (const [name, file] of removes) if (names.get(name) === file) names.delete(name);
  for (const [name, file] of adds) names.set(name, file);
}

/** The sectors of a write that reached the disk. */
function torn(change: Change, random: Random): Change[] {
  if (change.kind !== 'write') return [change];
  const { at, data } = change;
  const sector = random.chance(0.5) ? 4096 : 512;
  // The file has its new size all the same: that is kept elsewhere.
  const parts: Change[] = [{ kind: 'grow', size: at + data.length }];
  for (let start = 0; start < data.length;) {
    const end = Math.min(data.length, start + sector - ((at + start) % sector));
    if (random.chance(0.5)) {
      parts.push({ kind: 'write', at: at + start, data: data.subarray(start, end) });
    }
    start = end;
  }
  return parts;
}
