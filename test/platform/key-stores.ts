import { createHash } from 'node:crypto';
import type { KeyStore } from '../../server/platform/secrets.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** A key store of this account: what one of them sealed, only one of the same account opens. */
export function keyStoreOf(account: string): KeyStore {
  const mask = digest(`mask of ${account}`);
  const masked = (bytes: Buffer) => Buffer.from(bytes.map((byte, i) => byte ^ (mask[i] ?? 0)));
  return {
    seal: async (key) => Buffer.concat([digest(account), masked(key)]),
    async open(sealed) {
      if (!sealed.subarray(0, 32).equals(digest(account))) throw new Error('Not sealed here');
      return masked(sealed.subarray(32));
    },
  };
}

/** One that is locked, whose service has gone. */
export const brokenKeyStore: KeyStore = {
  seal: () => Promise.reject(gone()),
  open: () => Promise.reject(gone()),
};

/** As when the socket of a keyring is not there, which says nothing about the sealed file. */
const gone = () => Object.assign(new Error('No such socket'), { code: 'ENOENT' });
