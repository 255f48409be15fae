import * as crypto from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { startProblems } from './errors.ts';

// Missing before Node 20.12; three times as fast as createHash, and every event request hashes.
const oneShot = (crypto as { hash?: typeof crypto.hash }).hash;

export const sha256Hex: (text: string) => string = oneShot
  ? (text) => oneShot('sha256', text, 'hex')
  : (text) => crypto.createHash('sha256').update(text).digest('hex');

export function randomToken(bytes: number): string {
  return crypto.randomBytes(bytes).toString('base64url');
}

/** Keeps secrets at rest: a key file when headless, the system's key store in the desktop program. */
export interface Cipher {
  encrypt(text: string): string;
  /** Throws when the text was not encrypted by this cipher's key. */
  decrypt(text: string): string;
}

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'g1.';

export function openKeyFileCipher(dir: string): Cipher {
  const key = readOrCreateKey(dir);
  return {
    encrypt(text) {
      const iv = crypto.randomBytes(IV_BYTES);
      const cipher = crypto.createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final()]);
      return VERSION + Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url');
    },
    decrypt(text) {
      const bytes = Buffer.from(text.slice(VERSION.length), 'base64url');
      if (!text.startsWith(VERSION) || bytes.length < IV_BYTES + TAG_BYTES) {
        throw new Error('This text was not encrypted here');
      }
      const iv = bytes.subarray(0, IV_BYTES);
      const body = bytes.subarray(IV_BYTES, -TAG_BYTES);
      const decipher = crypto.createDecipheriv('aes-256-gcm', key, iv, {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },
  };
}

function readOrCreateKey(dir: string): Buffer {
  const file = join(dir, 'secret.key');
  let handle: number;
  try {
    handle = openSync(file, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const key = readFileSync(file);
    if (key.length === KEY_BYTES) return key;
    // Empty means that a first start was cut off before the key was used: it may be filled now.
    if (key.length > 0) throw startProblems.keyFileDamaged(file);
    handle = openSync(file, 'r+');
  }
  const key = crypto.randomBytes(KEY_BYTES);
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
