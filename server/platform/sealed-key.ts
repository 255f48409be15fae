import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { createCipher, KEY_BYTES } from './cipher.ts';
import type { Cipher } from './cipher.ts';
import { readAtStart, removeLeftovers, syncDirectory } from './files.ts';
import type { Wait } from './files.ts';
import type { Logger } from './log.ts';

/** What the system keeps keys with, such as the keychain of a desktop. */
export interface KeyStore {
  seal(key: Buffer): Promise<Buffer>;
  /** Says besides when the store would seal the key in another way today. */
  open(sealed: Buffer): Promise<Buffer | { key: Buffer; isStale: boolean }>;
}

/** A desktop can have `none` that would protect anything; a server has nothing of the kind. */
export type KeyStoreAtHand = KeyStore | 'none' | undefined;

export interface SealedKeyOptions {
  dir: string;
  /** What was read of it, which nothing but a key store can open. */
  sealed: Buffer | undefined;
  keyStore?: KeyStoreAtHand;
  log: Pick<Logger, 'warn'>;
  /** What the key store answers after this has come too late. */
  closing: AbortSignal;
}

/** No cipher when secrets must be kept in another way, with what the owner should know of it. */
export interface SealedKeyCipher {
  cipher?: Cipher;
  notice?: string;
  /** No news, but so as long as this desktop is as it is. */
  remark?: string;
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
const WITHOUT_KEYRING =
  'Some secrets were encrypted with a keyring that this desktop does not have at present, and ' +
  `cannot be read without it. ${UNTIL_THEN}`;
const NO_KEYRING =
  'This desktop has no keyring that Vedette can use, so secrets are encrypted with the key file ' +
  'in the data directory: whoever can read that directory, or a backup of it, can read them too.';
const UNSEALED =
  "The system's key store took no key, so new secrets are encrypted with the key file in the " +
  'data directory. The next start tries again.';
const unopened = (file: string) =>
  `The system's key store cannot open ${file}: it may have been reset, or belong to another ` +
  'account. The file was left as it is, and new secrets are encrypted with the key file beside ' +
  `it. ${UNTIL_THEN} Move the file away if it can never be opened again.`;

export async function readSealedKey(dir: string, wait?: Wait): Promise<Buffer | undefined> {
  await removeLeftovers(dir, LEFTOVER);
  return readAtStart(join(dir, NAME), wait);
}

/**
 * By a key that only the system's key store can open. The sealed key is overwritten only with
 * the same key: what cannot open it today may do so tomorrow, and nothing else can.
 */
export async function openSealedKeyCipher(options: SealedKeyOptions): Promise<SealedKeyCipher> {
  const { dir, sealed, keyStore, log, closing } = options;
  const file = join(dir, NAME);
  const isNew = sealed === undefined;
  if (keyStore === undefined) return isNew ? {} : { notice: WITHOUT };
  if (keyStore === 'none') return isNew ? { remark: NO_KEYRING } : { notice: WITHOUT_KEYRING };
  try {
    const key = isNew ? await createKey(dir, keyStore) : await openKey(sealed, options, keyStore);
    return { cipher: createCipher(SEALED_PREFIX, key) };
  } catch (error) {
    if (closing.aborted) return {};
    log.warn({ err: error }, `The key store could not ${isNew ? 'seal' : 'open'} the key`);
    return { notice: isNew ? UNSEALED : unopened(file) };
  }
}

async function createKey(dir: string, keyStore: KeyStore): Promise<Buffer> {
  const key = randomBytes(KEY_BYTES);
  await keep(key, dir, keyStore);
  return key;
}

async function openKey(
  sealed: Buffer,
  { dir, log }: SealedKeyOptions,
  keyStore: KeyStore,
): Promise<Buffer> {
  const { key, isStale } = told(await keyStore.open(sealed));
  if (key.length !== KEY_BYTES) throw new Error('The key store opened something else');
  if (isStale) {
    await keep(key, dir, keyStore).catch((error: unknown) =>
      log.warn({ err: error }, 'The key could not be sealed anew, and stays as it is'),
    );
  }
  return key;
}

/** On disk before it is used, since what it encrypts could not be had back without it. */
async function keep(key: Buffer, dir: string, keyStore: KeyStore): Promise<void> {
  const sealed = await keyStore.seal(key);
  // Some stores take anything and give nothing back.
  if (!key.equals(told(await keyStore.open(sealed)).key)) {
    throw new Error('The key came back as another');
  }
  await writeFileAtomic(join(dir, NAME), sealed, { mode: 0o600, fsync: true });
  await syncDirectory(dir);
}

function told(answer: Awaited<ReturnType<KeyStore['open']>>) {
  return Buffer.isBuffer(answer) ? { key: answer, isStale: false } : answer;
}
