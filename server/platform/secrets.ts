import * as crypto from 'node:crypto';
import type { Cipher } from './cipher.ts';
import { findKeyFileCipher, openKeyFileCipher } from './key-file.ts';
import { openSealedKeyCipher, SEALED_PREFIX } from './sealed-key.ts';
import type { SealedKeyOptions } from './sealed-key.ts';

export type { Cipher } from './cipher.ts';
export { openKeyFileCipher } from './key-file.ts';
export type { KeyStore } from './sealed-key.ts';

// Missing before Node 20.12; three times as fast as createHash, and every event request hashes.
const oneShot = (crypto as { hash?: typeof crypto.hash }).hash;

export const sha256Hex: (text: string) => string = oneShot
  ? (text) => oneShot('sha256', text, 'hex')
  : (text) => crypto.createHash('sha256').update(text).digest('hex');

export function randomToken(bytes: number): string {
  return crypto.randomBytes(bytes).toString('base64url');
}

export interface Secrets {
  cipher: Cipher;
  /** Where the key of new secrets is kept. */
  secretsIn: 'key-store' | 'key-file';
  /** What the owner should know about secrets that cannot be read. */
  notices: readonly string[];
}

/** With the system's key store where there is one, else with a key file; reads what both wrote. */
export async function openSecrets(options: SealedKeyOptions): Promise<Secrets> {
  const { cipher: sealed, notice } = await openSealedKeyCipher(options);
  if (sealed === undefined) {
    const notices = notice === undefined ? [] : [notice];
    return { cipher: openKeyFileCipher(options.dir), secretsIn: 'key-file', notices };
  }
  const fromFile = findKeyFileCipher(options.dir) ?? sealed;
  const cipher: Cipher = {
    encrypt: sealed.encrypt,
    decrypt: (text) => (text.startsWith(SEALED_PREFIX) ? sealed : fromFile).decrypt(text),
  };
  return { cipher, secretsIn: 'key-store', notices: [] };
}
