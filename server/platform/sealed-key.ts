import { randomBytes } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { createCipher, KEY_BYTES } from './cipher.ts';
import type { Cipher } from './cipher.ts';
import { removeLeftovers, syncDirectory } from './files.ts';
import type { Logger } from './log.ts';

/** What the system keeps keys with, such as the keychain of a desktop. */
export interface KeyStore {
  seal(key: Buffer): Promise<Buffer>;
  open(sealed: Buffer): Promise<Buffer>;
}

export interface SealedKeyOptions {
  dir: string;
  keyStore?: KeyStore | undefined;
  log: Pick<Logger, 'warn'>;
}

/** No cipher when secrets must be kept in another way, with what the owner should know of it. */
export interface SealedKeyCipher {
  cipher?: Cipher;
  notice?: string;
}

const NAME = 'secret.sealed';
const LEFTOVER = /^secret\.sealed\.\d+$/;
export const SEALED_PREFIX = 's1.';

const UNTIL_THEN =
  'Messages to webhooks that were set up with it wait for it, three days at most; or set these ' +
  'webhooks up anew. API keys work as before, but those that were made with it cannot be shown.';
const WITHOUT =
  "Some secrets were encrypted with the system's key store, which this start does not have: " +
  `only the desktop program can read them. ${UNTIL_THEN}`;
const UNSEALED =
  "The system's key store took no key, so new secrets are encrypted with the key file in the " +
  'data directory. The next start tries again.';
const unopened = (file: string) =>
  `The system's key store cannot open ${file}: it may have been reset, or belong to another ` +
  'account. The file was left as it is, and new secrets are encrypted with the key file beside ' +
  `it. ${UNTIL_THEN} Move the file away if it can never be opened again.`;

/**
 * By a key that only the system's key store can open. The sealed key is never overwritten: what
 * cannot open it today may do so tomorrow, and nothing else can.
 */
export async function openSealedKeyCipher(options: SealedKeyOptions): Promise<SealedKeyCipher> {
  const { dir, keyStore, log } = options;
  const file = join(dir, NAME);
  await removeLeftovers(dir, LEFTOVER);
  const isNew = !(await isThere(file));
  if (keyStore === undefined) return isNew ? {} : { notice: WITHOUT };
  try {
    const key = isNew ? await createKey(dir, keyStore) : await keyStore.open(await readFile(file));
    if (key.length !== KEY_BYTES) throw new Error('The key store opened something else');
    return { cipher: createCipher(SEALED_PREFIX, key) };
  } catch (error) {
    log.warn({ err: error }, `The key store could not ${isNew ? 'seal' : 'open'} the key`);
    return { notice: isNew ? UNSEALED : unopened(file) };
  }
}

/** On disk before it is used, since what it encrypts could not be had back without it. */
async function createKey(dir: string, keyStore: KeyStore): Promise<Buffer> {
  const key = randomBytes(KEY_BYTES);
  const sealed = await keyStore.seal(key);
  // Some stores take anything and give nothing back.
  if (!key.equals(await keyStore.open(sealed))) throw new Error('The key came back as another');
  await writeFileAtomic(join(dir, NAME), sealed, { mode: 0o600, fsync: true });
  await syncDirectory(dir);
  return key;
}

/** Also when it may not be looked at. */
function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    (error: unknown) => (error as NodeJS.ErrnoException).code !== 'ENOENT',
  );
}
