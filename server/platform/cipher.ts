import * as crypto from 'node:crypto';

/** Keeps secrets at rest. */
export interface Cipher {
  encrypt: (text: string) => string;
  /** Throws when the text was not encrypted by this cipher's key. */
  decrypt: (text: string) => string;
}

export const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The prefix says which key a text needs, and how it was made. */
export function createCipher(prefix: string, key: Buffer): Cipher {
  return {
    encrypt(text) {
      const iv = crypto.randomBytes(IV_BYTES);
      const cipher = crypto.createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final()]);
      return prefix + Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url');
    },
    decrypt(text) {
      const bytes = Buffer.from(text.slice(prefix.length), 'base64url');
      if (!text.startsWith(prefix) || bytes.length < IV_BYTES + TAG_BYTES) {
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
