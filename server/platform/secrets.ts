import * as crypto from 'node:crypto';
import type { Cipher } from './cipher.ts';
import { FILE_PREFIX, findKeyFileCipher, openKeyFileCipher } from './key-file.ts';
import type { Wait } from './files.ts';
import type { Logger } from './log.ts';
import { isDoneWithin, patient, untilAborted } from './patience.ts';
import { readRetiredKeys, retireKeyFile } from './retired-keys.ts';
import { openSealedKeyCipher, readSealedKey, SEALED_PREFIX } from './sealed-key.ts';
import type { KeyStoreAtHand, SealedKeyCipher } from './sealed-key.ts';

export type { Cipher } from './cipher.ts';
export { openKeyFileCipher } from './key-file.ts';
export type { KeyStore, KeyStoreAtHand } from './sealed-key.ts';

// Missing before Node 20.12; three times as fast as createHash, and every event request hashes.
const oneShot = (crypto as { hash?: typeof crypto.hash }).hash;

export const sha256Hex: (text: string) => string = oneShot
  ? (text) => oneShot('sha256', text, 'hex')
  : (text) => crypto.createHash('sha256').update(text).digest('hex');

export function randomToken(bytes: number): string {
  return crypto.randomBytes(bytes).toString('base64url');
}

export interface SecretsOptions {
  dir: string;
  keyStore?: KeyStoreAtHand | Promise<KeyStoreAtHand>;
  log: Pick<Logger, 'info' | 'warn'>;
  /** How long the key store may take before things go on without it. */
  patienceMs?: number;
  /** Rewrites every text that is kept; without it they stay with the key file. */
  move?: (renewed: (text: string) => string) => Promise<void>;
  /** Until a file that could not be read is tried again. */
  wait?: Wait;
}

export interface Secrets {
  cipher: Cipher;
  /** Who protects them: the key store only once nothing beside the data can read them. */
  readonly secretsIn: 'key-store' | 'key-file';
  /** What the owner should know about secrets that cannot be read, at this moment. */
  readonly notices: readonly string[];
  /** What is so as long as this desktop is as it is. */
  readonly remarks: readonly string[];
  /** Waits for no key store; what it answers later changes nothing more. */
  close(): Promise<void>;
}

const PATIENCE_MS = 2_000;
const WAITING =
  'The keyring of this desktop has not been opened yet. Until it is, secrets that were encrypted ' +
  'with it cannot be read, messages to such webhooks wait, and new secrets are encrypted with the ' +
  'key file in the data directory. Unlock it: there is no need to start Vedette again.';

/**
 * With the system's key store where there is one, else with a key file; reads what both wrote. A
 * key store that is locked may answer at any time: until then it is done without.
 */
export async function openSecrets(options: SecretsOptions): Promise<Secrets> {
  const { dir, log, move, wait, patienceMs = PATIENCE_MS } = options;
  const closing = new AbortController();
  const until = untilAborted(closing.signal);
  const isClosed = () => closing.signal.aborted;
  let sealed: Cipher | undefined;
  // It may fail before it is asked.
  void Promise.resolve(options.keyStore).catch(() => undefined);
  // All of them before any is used: what cannot be read may hold the key of some.
  let file = await findKeyFileCipher(dir, wait);
  const sealedKey = await readSealedKey(dir, wait);
  const retiredKeys = await readRetiredKeys(dir, wait);
  let retired: readonly Cipher[] = [];
  let said: SealedKeyCipher = { notice: WAITING };

  const inFile = () => (file ??= openKeyFileCipher(dir));
  const cipher: Cipher = {
    encrypt: (text) => (sealed ?? inFile()).encrypt(text),
    decrypt(text) {
      if (!text.startsWith(SEALED_PREFIX))
        return firstOf([...(file ? [file] : []), ...retired], text);
      if (sealed === undefined) throw new Error('The key of this text has not been opened');
      return sealed.decrypt(text);
    },
  };

  async function settle(): Promise<void> {
    const keyStore = await until(options.keyStore).catch((error: unknown) => {
      if (!isClosed()) log.warn({ err: error }, 'There is no key store to be had');
      return 'none' as const;
    });
    if (isClosed()) return;
    const given = { dir, sealed: sealedKey, log, closing: closing.signal };
    const opened = await openSealedKeyCipher({ ...given, keyStore: patient(keyStore, until) });
    if (isClosed()) return;
    if (opened.cipher === undefined) inFile();
    else await takeOver(opened.cipher);
    said = opened;
  }

  /** At every moment of it all texts are readable, whatever ends it. */
  async function takeOver(key: Cipher): Promise<void> {
    sealed = key;
    try {
      retired = retiredKeys(key);
      if (move === undefined || file === undefined) return;
      await move((text) => renewed(text, cipher));
      await retireKeyFile(dir, key);
      retired = [...retired, file];
      file = undefined;
    } catch (error) {
      log.warn({ err: error }, 'Secrets could not be moved from the key file to the key store');
    }
  }

  const settling = settle();
  if (!(await isDoneWithin(settling, patienceMs))) {
    void settling.then(
      () => isClosed() || log.info('The key store has answered'),
      (error: unknown) => log.warn({ err: error }, 'The key store could not be taken into use'),
    );
  }

  return {
    cipher,
    get secretsIn() {
      const isSafe = sealed !== undefined && (file === undefined || move === undefined);
      return isSafe ? 'key-store' : 'key-file';
    },
    get notices() {
      return said.notice === undefined ? [] : [said.notice];
    },
    get remarks() {
      return said.remark === undefined ? [] : [said.remark];
    },
    async close() {
      closing.abort();
      await settling.catch(() => undefined);
    },
  };
}

/** A text that nobody can read stays what it is. */
function renewed(text: string, cipher: Cipher): string {
  if (!text.startsWith(FILE_PREFIX)) return text;
  try {
    return cipher.encrypt(cipher.decrypt(text));
  } catch {
    return text;
  }
}

function firstOf(ciphers: readonly Cipher[], text: string): string {
  for (const { decrypt } of ciphers) {
    try {
      return decrypt(text);
    } catch {
      // By another of them, perhaps.
    }
  }
  throw new Error('This text was not encrypted here');
}
