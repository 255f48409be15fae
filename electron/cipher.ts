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
): Promise<KeyStore | undefined> {
  if (platform === 'linux' && /^(basic_text|unknown)$/.test(store.getSelectedStorageBackend())) {
    return undefined;
  }
  // Older runtimes have only the calls that block, on a keyring that may ask for its password.
  if (typeof store.isAsyncEncryptionAvailable !== 'function') return undefined;
  if (!(await store.isAsyncEncryptionAvailable().catch(() => false))) return undefined;
  return {
    seal: (key) => store.encryptStringAsync(key.toString('base64')),
    async open(sealed) {
      const { result } = await store.decryptStringAsync(sealed);
      return Buffer.from(result, 'base64');
    },
  };
}
