import { execFileSync } from 'node:child_process';
import { appendFileSync, closeSync, openSync, readSync, realpathSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { sharedDir, tempDir } from '../../helpers/temp-dir.ts';

const SOURCE = path.join(import.meta.dirname, 'preload.c');
const CONTROL_BYTES = 1024;

let built: { library: string } | { why: string } | undefined;

function build(): { library: string } | { why: string } {
  if (process.platform !== 'linux') return { why: 'LD_PRELOAD is Linux only' };
  const library = path.join(sharedDir(), 'preload.so');
  try {
    const args = ['-shared', '-fPIC', '-O1', '-Wall', '-Werror', '-o', library, SOURCE, '-ldl'];
    execFileSync('cc', [...args, '-lpthread'], { stdio: 'pipe' });
    return { library };
  } catch (error) {
    const said = String((error as { stderr?: Buffer }).stderr ?? '');
    if (said === '') return { why: 'there is no C compiler' };
    if (/fatal error: .*No such file/.test(said)) return { why: 'the C library has no headers' };
    throw new Error(said, { cause: error });
  }
}

/** Why the library of preload.c cannot be used on this machine; undefined when it can. */
export function whyNoPreload(): string | undefined {
  built ??= build();
  return 'why' in built ? built.why : undefined;
}

function preloaded(dataDir: string, more: Record<string, string>): Record<string, string> {
  built ??= build();
  if ('why' in built) throw new Error(built.why);
  // What goes through io_uring passes the C library by.
  return {
    ...{ LD_PRELOAD: built.library, UV_USE_IO_URING: '0' },
    ...{ VEDETTE_DISK_DIR: realpathSync(dataDir), ...more },
  };
}

/** Has a program write down each change below its data directory. */
export function recording(dataDir: string) {
  const file = path.join(tempDir(), 'trace');
  return {
    file,
    env: preloaded(dataDir, { VEDETTE_DISK_TRACE: file }),
    /** Puts into the trace what is known by now, as that something was acknowledged. */
    mark: (known: object) => appendFileSync(file, `mark\t${JSON.stringify(known)}\n`),
  };
}

export type Operation =
  | 'open'
  | 'create'
  | 'read'
  | 'write'
  | 'truncate'
  | 'sync'
  | 'rename'
  | 'unlink'
  | 'list'
  | 'stat';

export interface Failure {
  operations: readonly Operation[];
  /** A shell pattern of names below the data directory. */
  files: string;
  error: 'EIO' | 'ENOSPC' | 'EACCES';
  /** So many go well before. */
  after?: number;
  /** So many fail; for ever when not given. */
  times?: number;
}

/** Lets operations of a program fail, from its start on or while it runs. */
export function failing(dataDir: string, first?: Failure) {
  const file = path.join(tempDir(), 'control');
  const handle = openSync(file, 'w+');
  onTestFinished(() => closeSync(handle));
  writeSync(handle, Buffer.alloc(CONTROL_BYTES), 0, CONTROL_BYTES, 0);
  let generation = 0;

  function number(at: number, value: number): void {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    writeSync(handle, bytes, 0, 4, at);
  }

  function begin({ operations, files, error, after = 0, times = 0 }: Failure): void {
    end();
    const kinds = `,${operations.join(',')},`;
    const rule = `${after} ${times} ${os.constants.errno[error]} ${kinds} ${files}\0`;
    number(4, 0);
    writeSync(handle, rule, 8);
    number(0, ++generation);
  }

  function end(): void {
    number(0, 0);
  }

  if (first) begin(first);
  return {
    env: preloaded(dataDir, { VEDETTE_DISK_CONTROL: file }),
    begin,
    end,
    /** How many operations have failed since `begin`. */
    hits(): number {
      const bytes = Buffer.alloc(4);
      readSync(handle, bytes, 0, 4, 4);
      return bytes.readUInt32LE();
    },
  };
}
