import type { SafeStorage } from 'electron';
import type { KeyStore } from '../server/platform/secrets.ts';

type Store = Pick<
  SafeStorage,
  | 'isAsyncEncryptionAvailable'
  | 'encryptStringAsync'
  | 'decryptStringAsync'
  | 'getSelectedStorageBackend'
>;

/**
 * The key store of the system, or nothing where it would not protect: on a Linux desktop without
 * a keyring Chromium falls back to a password that stands in its source.
 */
export async function systemKeyStore(
  store: Store,
  platform: NodeJS.Platform = process.platform,
  patienceMs = 60_000,
): Promise<KeyStore | undefined> {
  if (platform === 'linux' && /^(basic_text|unknown)$/.test(store.getSelectedStorageBackend())) {
    return undefined;
  }
  // Older runtimes have only the calls that block, on a keyring that may ask for its password.
  if (typeof store.isAsyncEncryptionAvailable !== 'function') return undefined;
  const isThere = await inTime(store.isAsyncEncryptionAvailable(), patienceMs).catch(() => false);
  if (!isThere) return undefined;
  return {
    seal: (key) => inTime(store.encryptStringAsync(key.toString('base64')), patienceMs),
    async open(sealed) {
      const { result } = await inTime(store.decryptStringAsync(sealed), patienceMs);
      return Buffer.from(result, 'base64');
    },
  };
}

/** A keyring may ask for its password; events must not wait for somebody who is not there. */
async function inTime<T>(answer: Promise<T>, patienceMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error('The key store of the system does not answer')),
    patienceMs,
  );
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
}
