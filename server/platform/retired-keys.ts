import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { createCipher } from './cipher.ts';
import type { Cipher } from './cipher.ts';
import { readAtStart, removeLeftovers, syncDirectory } from './files.ts';
import type { Wait } from './files.ts';
import { FILE_PREFIX, readKey, removeKeyFile } from './key-file.ts';

const NAME = 'secret.retired';
const LEFTOVER = /^secret\.retired\.\d+$/;

/**
 * Keys that once lay open in a key file, encrypted by the key that the key store keeps. Copies of
 * the settings may need them still, so none is ever thrown away.
 */
export async function readRetiredKeys(dir: string, wait?: Wait): Promise<RetiredKeys> {
  await removeLeftovers(dir, LEFTOVER);
  const lines = linesOf((await readAtStart(join(dir, NAME), wait)) ?? '');
  return (sealed) =>
    lines
      .flatMap((line) => keyOf(line, sealed) ?? [])
      .map((key) => createCipher(FILE_PREFIX, Buffer.from(key, 'base64')));
}

/** Opens those that this sealed key has encrypted. */
export type RetiredKeys = (sealed: Cipher) => Cipher[];

/** Safe on disk in its new place before it goes from the old one. */
export async function retireKeyFile(dir: string, sealed: Cipher): Promise<void> {
  const key = readKey(dir)?.toString('base64');
  if (key === undefined) return;
  const lines = linesOf((await readAtStart(join(dir, NAME))) ?? '');
  if (!lines.some((line) => keyOf(line, sealed) === key)) {
    const text = [...lines, sealed.encrypt(key), ''].join('\n');
    await writeFileAtomic(join(dir, NAME), text, { mode: 0o600, fsync: true });
    await syncDirectory(dir);
  }
  await removeKeyFile(dir);
}

const linesOf = (text: Buffer | string): string[] =>
  text
    .toString()
    .split('\n')
    .filter((line) => line !== '');

/** Nothing where it was encrypted by a sealed key that has been lost since. */
function keyOf(line: string, sealed: Cipher): string | undefined {
  try {
    return sealed.decrypt(line);
  } catch {
    return undefined;
  }
}
