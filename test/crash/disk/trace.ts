import { readFileSync } from 'node:fs';

/** One line of a trace as preload.c and the driver write it. Files are known by their inode. */
export type Entry =
  | { kind: 'create'; inode: string; name: string }
  | { kind: 'write'; inode: string; at: number; data: Buffer }
  | { kind: 'truncate' | 'grow'; inode: string; size: number }
  | { kind: 'zero'; inode: string; at: number; length: number }
  | { kind: 'sync'; number: string; inode: string; name: string }
  | { kind: 'synced'; number: string }
  | { kind: 'rename' | 'link'; from: string; to: string }
  | { kind: 'unlink' | 'rmdir' | 'mkdir'; name: string }
  | { kind: 'mark'; known: unknown };

export function readTrace(file: string): Entry[] {
  const bytes = readFileSync(file);
  const entries: Entry[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    // A kill may cut off the last one.
    if (end < 0) break;
    const fields = bytes.toString('utf8', at, end).split('\t');
    at = end + 1;
    const length = fields[0] === 'write' ? Number(fields[3]) : 0;
    if (at + length > bytes.length) break;
    entries.push(entryOf(fields, bytes.subarray(at, at + length)));
    at += length;
  }
  return entries;
}

function entryOf(fields: readonly string[], data: Buffer): Entry {
  const [kind, one = '', two = '', three = ''] = fields;
  switch (kind) {
    case 'create':
      return { kind, inode: one, name: two };
    case 'write':
      return { kind, inode: one, at: Number(two), data };
    case 'truncate':
    case 'grow':
      return { kind, inode: one, size: Number(two) };
    case 'zero':
      return { kind, inode: one, at: Number(two), length: Number(three) };
    case 'sync':
      return { kind, number: one, inode: two, name: three };
    case 'synced':
      return { kind, number: one };
    case 'rename':
    case 'link':
      return { kind, from: one, to: two };
    case 'unlink':
    case 'rmdir':
    case 'mkdir':
      return { kind, name: one };
    case 'mark':
      return { kind, known: JSON.parse(fields.slice(1).join('\t')) };
    default:
      throw new Error(`The trace has a line of no known kind: ${fields.join(' ')}`);
  }
}
