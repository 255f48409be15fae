import { describe, expect, test } from 'vitest';
import { systemKeyStore } from '../../electron/cipher.ts';
import type { KeyStore } from '../../server/platform/secrets.ts';

type Backend = 'basic_text' | 'gnome_libsecret' | 'kwallet6' | 'unknown';

interface Given {
  isAvailable?: () => Promise<boolean>;
  /** What stands in front of what it seals; it opens any. */
  mark?: string;
  shouldReEncrypt?: boolean;
}

/** As the system's store is: what it gives back is not what it was given. */
function storeOf(backend: Backend, given: Given = {}) {
  const { isAvailable = async () => true, mark = 'v11', shouldReEncrypt = false } = given;
  return {
    getSelectedStorageBackend: () => backend,
    isAsyncEncryptionAvailable: isAvailable,
    encryptStringAsync: async (text: string) => Buffer.from(`${mark}sealed ${text}`),
    decryptStringAsync: async (sealed: Buffer) => ({
      result: sealed.toString().replace(/^v1\dsealed /, ''),
      shouldReEncrypt,
    }),
  };
}

async function keyStore(...given: Parameters<typeof systemKeyStore>): Promise<KeyStore> {
  const store = await systemKeyStore(...given);
  if (store === 'none') throw new Error('There is none');
  return store;
}

describe('the key store of the system', () => {
  const key = Buffer.from([0, 255, 128, 10, 13]);

  test('gives back the key that it sealed', async () => {
    const store = await keyStore(storeOf('gnome_libsecret'), 'linux');
    const sealed = await store.seal(key);
    expect(sealed.includes(key)).toBe(false);
    expect(await store.open(sealed)).toEqual(key);
  });

  test.for<Backend>(['basic_text', 'unknown'])(
    'is none on a Linux desktop that has only %s',
    async (backend) => {
      expect(await systemKeyStore(storeOf(backend), 'linux')).toBe('none');
    },
  );

  test('does not ask for its backend where there is but one', async () => {
    expect(await systemKeyStore(storeOf('unknown'), 'darwin')).not.toBe('none');
  });

  test.for<[string, () => Promise<boolean>]>([
    ['is not to be had', async () => false],
    ['fails', () => Promise.reject(new Error('the keyring is locked'))],
  ])('is none where it %s', async ([, isAvailable]) => {
    expect(await systemKeyStore(storeOf('kwallet6', { isAvailable }), 'linux')).toBe('none');
  });

  test('is none where it seals with the password that everybody knows', async () => {
    const store = storeOf('gnome_libsecret', { mark: 'v10' });
    expect(await systemKeyStore(store, 'linux')).toBe('none');
    // There the mark means something else.
    expect(await systemKeyStore(store, 'darwin')).not.toBe('none');
    expect(await systemKeyStore(store, 'win32')).not.toBe('none');
  });

  test('seals nothing when it falls back to that password later', async () => {
    let mark = 'v11';
    const changing = {
      ...storeOf('gnome_libsecret'),
      encryptStringAsync: async (text: string) => Buffer.from(`${mark}sealed ${text}`),
    };
    const store = await keyStore(changing, 'linux');
    mark = 'v10';
    await expect(store.seal(key)).rejects.toThrow('known to all');
  });

  test('wants what was sealed with that password sealed anew', async () => {
    const old = await (await keyStore(storeOf('unknown', { mark: 'v10' }), 'darwin')).seal(key);
    const store = await keyStore(storeOf('gnome_libsecret'), 'linux');
    expect(await store.open(old)).toEqual({ key, isStale: true });
  });

  test('passes on that it would seal the key in another way today', async () => {
    const store = await keyStore(storeOf('kwallet6', { shouldReEncrypt: true }), 'linux');
    expect(await store.open(await store.seal(key))).toEqual({ key, isStale: true });
  });

  test('is none in a runtime that would block on it', async () => {
    const old = { ...storeOf('kwallet6'), isAsyncEncryptionAvailable: undefined };
    expect(await systemKeyStore(old as never, 'linux')).toBe('none');
  });
});
