import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StartError } from '../../server/platform/start-errors.ts';
import { silentLog as log } from '../../server/platform/log.ts';
import { openKeyFileCipher, openSecrets } from '../../server/platform/secrets.ts';
import type { KeyStore } from '../../server/platform/secrets.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { brokenKeyStore, keyStoreOf } from './key-stores.ts';

const open = (dir: string, keyStore?: KeyStore) => openSecrets({ dir, keyStore, log });
const sealedFile = (dir: string) => join(dir, 'secret.sealed');
const mine = keyStoreOf('me');

describe('secrets without a key store', () => {
  it('are kept as ever, with nothing to say about it', async () => {
    const dir = tempDir();
    const { cipher, secretsIn, notices } = await open(dir);
    expect({ secretsIn, notices }).toEqual({ secretsIn: 'key-file', notices: [] });
    expect(readdirSync(dir)).toEqual(['secret.key']);
    const text = cipher.encrypt('secret ✓');
    expect(text).toMatch(/^g1\./);
    expect(openKeyFileCipher(dir).decrypt(text)).toBe('secret ✓');
  });
});

describe('secrets with a key store', () => {
  it('are read again at the next start, and need no key file', async () => {
    const dir = tempDir();
    const { cipher, secretsIn, notices } = await open(dir, mine);
    expect({ secretsIn, notices }).toEqual({ secretsIn: 'key-store', notices: [] });
    const text = cipher.encrypt('secret ✓');
    expect(text).toMatch(/^s1\./);
    expect(readdirSync(dir)).toEqual(['secret.sealed']);
    expect((await open(dir, mine)).cipher.decrypt(text)).toBe('secret ✓');
    expect(readdirSync(dir)).toEqual(['secret.sealed']);
  });

  it('have their sealed key on disk before anything can be encrypted', async () => {
    const dir = tempDir();
    let sealed: Buffer | undefined;
    const store: KeyStore = {
      ...mine,
      async seal(key) {
        expect(readdirSync(dir)).toEqual([]);
        return (sealed = await mine.seal(key));
      },
    };
    await open(dir, store);
    expect(readFileSync(sealedFile(dir))).toEqual(sealed);
  });

  it.skipIf(process.platform === 'win32')('keep the sealed key from other accounts', async () => {
    const dir = tempDir();
    await open(dir, mine);
    expect(statSync(sealedFile(dir)).mode & 0o777).toBe(0o600);
  });

  it('include what the key file encrypted before', async () => {
    const dir = tempDir();
    const text = openKeyFileCipher(dir).encrypt('old');
    const { cipher, secretsIn } = await open(dir, mine);
    expect(secretsIn).toBe('key-store');
    expect(cipher.decrypt(text)).toBe('old');
    expect(() => cipher.decrypt('s1.AAAA')).toThrow();
    expect(() => cipher.decrypt('plain')).toThrow();
  });

  it('stop the start over a damaged key file, which may hold the key of some', async () => {
    const dir = tempDir();
    writeFileSync(join(dir, 'secret.key'), 'short');
    await expect(open(dir, mine)).rejects.toThrow(StartError);
  });

  it.each(['secret.key', 'secret.sealed', 'secret.retired'])(
    'stop the start in words over a %s that cannot be read, after patience',
    async (name) => {
      const dir = tempDir();
      mkdirSync(join(dir, name));
      let waits = 0;
      const wait = async () => waits++;
      const refused = openSecrets({ dir, keyStore: mine, log, wait });
      await expect(refused).rejects.toThrow(StartError);
      await expect(refused).rejects.toThrow(`${name} cannot be read: it is a folder`);
      expect(waits).toBe(4);
      expect(readdirSync(dir)).toEqual([name]);

      const heals = async () => rmdirSync(join(dir, name));
      expect((await openSecrets({ dir, keyStore: mine, log, wait: heals })).secretsIn).toBe(
        'key-store',
      );
    },
  );

  it('do without a key file that was left empty, and leave it', async () => {
    const dir = tempDir();
    writeFileSync(join(dir, 'secret.key'), '');
    const { cipher } = await open(dir, mine);
    expect(cipher.decrypt(cipher.encrypt('secret'))).toBe('secret');
    expect(statSync(join(dir, 'secret.key')).size).toBe(0);
  });

  it('clear away what a kill left of a write, which nothing was encrypted with', async () => {
    const dir = tempDir();
    writeFileSync(join(dir, 'secret.sealed.1234567'), 'half');
    await open(dir, mine);
    expect(readdirSync(dir)).toEqual(['secret.sealed']);
  });
});

describe('a key store that is not there any more', () => {
  it.each([
    ['is missing', undefined, /desktop program/],
    ['is broken', brokenKeyStore, /cannot open .*secret\.sealed/],
    ['was reset', keyStoreOf('somebody else'), /cannot open .*secret\.sealed/],
    ['opens something else', { ...mine, open: async () => Buffer.from('x') }, /cannot open/],
  ])('leaves the sealed key, and the key file to new secrets: it %s', async (_, store, word) => {
    const dir = tempDir();
    const before = (await open(dir, mine)).cipher.encrypt('before');
    const sealed = readFileSync(sealedFile(dir));

    const { cipher, secretsIn, notices } = await open(dir, store);
    expect(secretsIn).toBe('key-file');
    expect(notices).toEqual([expect.stringMatching(word)]);
    expect(notices[0]).toMatch(/webhooks up anew/);
    expect(() => cipher.decrypt(before)).toThrow();
    const meanwhile = cipher.encrypt('meanwhile');
    expect(meanwhile).toMatch(/^g1\./);
    expect(readFileSync(sealedFile(dir))).toEqual(sealed);

    const after = await open(dir, mine);
    expect(after.secretsIn).toBe('key-store');
    expect([before, meanwhile].map(after.cipher.decrypt)).toEqual(['before', 'meanwhile']);
  });

  it.each([
    ['seals nothing', brokenKeyStore],
    ['gives another key back', { ...mine, open: async () => Buffer.alloc(32) }],
    ['gives nothing back', { ...mine, open: () => Promise.reject(new Error('Locked')) }],
  ])('is no reason to lose secrets when at the first time it %s', async (_, store) => {
    const dir = tempDir();
    const { cipher, secretsIn, notices } = await open(dir, store);
    expect(secretsIn).toBe('key-file');
    expect(notices).toEqual([expect.stringMatching(/took no key/)]);
    expect(existsSync(sealedFile(dir))).toBe(false);
    const text = cipher.encrypt('secret');
    expect((await open(dir, mine)).cipher.decrypt(text)).toBe('secret');
  });
});

const STORES = { none: undefined, mine, other: keyStoreOf('other'), broken: brokenKeyStore };
const start = fc.record({
  store: fc.constantFrom(...(Object.keys(STORES) as (keyof typeof STORES)[])),
  /** Killed before anything was encrypted. */
  killed: fc.boolean(),
  text: fc.string({ unit: 'binary' }),
});

it('secrets stay readable over any starts and kills, and the sealed key as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(start, { maxLength: 8 }), async (starts) => {
      const dir = tempDir();
      const kept: { text: string; encrypted: string }[] = [];
      let owner: keyof typeof STORES | undefined;
      let sealed: Buffer | undefined;
      for (const { store, killed, text } of starts) {
        const { cipher, secretsIn } = await open(dir, STORES[store]);
        if (store === 'mine' || store === 'other') owner ??= store;
        expect(secretsIn).toBe(owner !== undefined && owner === store ? 'key-store' : 'key-file');
        if (owner)
          expect(readFileSync(sealedFile(dir))).toEqual((sealed ??= readFileSync(sealedFile(dir))));
        for (const { text, encrypted } of kept) {
          const isMine = encrypted.startsWith('g1.') || secretsIn === 'key-store';
          if (isMine) expect(cipher.decrypt(encrypted)).toBe(text);
          else expect(() => cipher.decrypt(encrypted)).toThrow();
        }
        if (killed) writeFileSync(join(dir, 'secret.sealed.42'), 'half');
        else kept.push({ text, encrypted: cipher.encrypt(text) });
      }
    }),
    { numRuns: 60 },
  );
});
