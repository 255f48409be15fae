import { describe, expect, test } from 'vitest';
import { systemKeyStore } from '../../electron/cipher.ts';

type Backend = 'basic_text' | 'gnome_libsecret' | 'kwallet6' | 'unknown';

/** As the system's store is: what it gives back is not what it was given. */
function storeOf(backend: Backend, isAvailable: () => Promise<boolean> = async () => true) {
  return {
    getSelectedStorageBackend: () => backend,
    isAsyncEncryptionAvailable: isAvailable,
    encryptStringAsync: async (text: string) => Buffer.from(`sealed ${text}`),
    decryptStringAsync: async (sealed: Buffer) => ({
      result: sealed.toString().replace('sealed ', ''),
      shouldReEncrypt: false,
    }),
  };
}

describe('the key store of the system', () => {
  test('gives back the key that it sealed', async () => {
    const store = await systemKeyStore(storeOf('gnome_libsecret'), 'linux');
    const key = Buffer.from([0, 255, 128, 10, 13]);
    const sealed = await store?.seal(key);
    expect(sealed?.includes(key)).toBe(false);
    expect(await store?.open(sealed as Buffer)).toEqual(key);
  });

  test.for<Backend>(['basic_text', 'unknown'])(
    'is none on a Linux desktop that has only %s',
    async (backend) => {
      expect(await systemKeyStore(storeOf(backend), 'linux')).toBeUndefined();
    },
  );

  test('does not ask for its backend where there is but one', async () => {
    expect(await systemKeyStore(storeOf('unknown'), 'darwin')).toBeDefined();
  });

  test.for<[string, () => Promise<boolean>]>([
    ['is not to be had', async () => false],
    ['fails', () => Promise.reject(new Error('the keyring is locked'))],
  ])('is none where it %s', async ([, isAvailable]) => {
    expect(await systemKeyStore(storeOf('kwallet6', isAvailable), 'linux')).toBeUndefined();
  });

  test('is not waited for when nobody unlocks it', async () => {
    const silent = () => new Promise<never>(() => undefined);
    expect(await systemKeyStore(storeOf('kwallet6', silent), 'linux', 1)).toBeUndefined();
    const locked = { ...storeOf('kwallet6'), decryptStringAsync: silent };
    const store = await systemKeyStore(locked, 'linux', 1);
    await expect(store?.open(Buffer.from('sealed'))).rejects.toThrow('does not answer');
  });

  test('is none in a runtime that would block on it', async () => {
    const old = { ...storeOf('kwallet6'), isAsyncEncryptionAvailable: undefined };
    expect(await systemKeyStore(old as never, 'linux')).toBeUndefined();
  });
});
