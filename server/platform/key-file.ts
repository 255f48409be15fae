import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createCipher, KEY_BYTES } from './cipher.ts';
import type { Cipher } from './cipher.ts';
import { fileFault, readAtStart, syncDirectory } from './files.ts';
import type { Wait } from './files.ts';
import { StartError, startProblems } from './start-errors.ts';

const NAME = 'secret.key';
export const FILE_PREFIX = 'g1.';

/** By a key in a file beside the data, which is made when there is none. */
export function openKeyFileCipher(dir: string): Cipher {
  try {
    return createCipher(FILE_PREFIX, readKey(dir) ?? createKey(dir));
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw startProblems.folderUnwritable(dir, fileFault(error));
  }
}

/** The same, but nothing where no key has been in use. */
export async function findKeyFileCipher(dir: string, wait?: Wait): Promise<Cipher | undefined> {
  const file = join(dir, NAME);
  const key = whole(file, await readAtStart(file, wait));
  return key && createCipher(FILE_PREFIX, key);
}

/** Once the key is kept elsewhere. */
export async function removeKeyFile(dir: string): Promise<void> {
  await unlink(join(dir, NAME));
  await syncDirectory(dir);
}

export function readKey(dir: string): Buffer | undefined {
  const file = join(dir, NAME);
  try {
    return whole(file, readFileSync(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function whole(file: string, key: Buffer | undefined): Buffer | undefined {
  if (key?.length === KEY_BYTES) return key;
  // Empty means that a first start was cut off before the key was used: it may be filled now.
  if (key !== undefined && key.length > 0) throw startProblems.keyFileDamaged(file);
  return undefined;
}

function createKey(dir: string): Buffer {
  const key = randomBytes(KEY_BYTES);
  const file = join(dir, NAME);
  // Over an empty one, but never over a key.
  const handle = openSync(file, existsSync(file) ? 'r+' : 'wx', 0o600);
  try {
    writeSync(handle, key);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  syncName(dir);
  return key;
}

/** Without this a power cut may take the new file's name. Windows needs no such call. */
function syncName(dir: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(dir, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
