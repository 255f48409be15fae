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
 * The key store of the system, or none where it would not protect: on a Linux desktop without a
 * keyring Chromium falls back to a password that stands in its source. A keyring may ask for its
 * password first; nobody needs to wait for this.
 */
export async function systemKeyStore(
  store: Store,
  platform: NodeJS.Platform = process.platform,
): Promise<KeyStore | 'none'> {
  const isLinux = platform === 'linux';
  if (isLinux && /^(basic_text|unknown)$/.test(store.getSelectedStorageBackend())) return 'none';
  // Older runtimes have only the calls that block, on a keyring that may ask for its password.
  if (typeof store.isAsyncEncryptionAvailable !== 'function') return 'none';

  const isOpen = (sealed: Buffer) => isLinux && isBySourcePassword(sealed);
  async function seal(text: string): Promise<Buffer> {
    const sealed = await store.encryptStringAsync(text);
    if (isOpen(sealed)) throw new Error('The keyring is not used, but a password known to all');
    return sealed;
  }

  // What it says of itself does not tell which of its ways it will take.
  const isThere = await store
    .isAsyncEncryptionAvailable()
    .then(async (isAvailable) => isAvailable && (await seal('trial')).length > 0)
    .catch(() => false);
  if (!isThere) return 'none';
  return {
    seal: (key) => seal(key.toString('base64')),
    async open(sealed) {
      const { result, shouldReEncrypt } = await store.decryptStringAsync(sealed);
      const key = Buffer.from(result, 'base64');
      return shouldReEncrypt || isOpen(sealed) ? { key, isStale: true } : key;
    },
  };
}

/** Chromium's mark on Linux; elsewhere the same mark means the key store of the system. */
function isBySourcePassword(sealed: Buffer): boolean {
  return sealed.subarray(0, 3).toString('latin1') === 'v10';
}
