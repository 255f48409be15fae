import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { silentLog as log } from '../../server/platform/log.ts';
import { openKeyFileCipher, openSecrets } from '../../server/platform/secrets.ts';
import type { KeyStore, KeyStoreAtHand } from '../../server/platform/secrets.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { brokenKeyStore, keyStoreOf } from './key-stores.ts';

const mine = keyStoreOf('me');
const WAITING = [expect.stringContaining('has not been opened yet')];

/** A key store that answers nothing before it is unlocked. */
function locked(store: KeyStore = mine) {
  const lock = Promise.withResolvers<undefined>();
  const after = <T>(answer: () => Promise<T>) => lock.promise.then(answer);
  return {
    unlock: () => lock.resolve(undefined),
    seal: (key: Buffer) => after(() => store.seal(key)),
    open: (sealed: Buffer) => after(() => store.open(sealed)),
  };
}

const open = (dir: string, keyStore: KeyStoreAtHand | Promise<KeyStoreAtHand>, patienceMs = 1) =>
  openSecrets({ dir, keyStore, log, patienceMs });

describe('a key store that is locked', () => {
  it('is done without until it is opened, and taken into use in the same run', async () => {
    const dir = tempDir();
    const before = (await open(dir, mine, 5000)).cipher.encrypt('before');
    const store = locked();
    const secrets = await open(dir, store);
    expect([secrets.secretsIn, secrets.notices]).toEqual(['key-file', WAITING]);
    expect(() => secrets.cipher.decrypt(before)).toThrow();
    const meanwhile = secrets.cipher.encrypt('meanwhile');
    expect(meanwhile).toMatch(/^g1\./);

    store.unlock();
    await vi.waitFor(() => expect(secrets.notices).toEqual([]));
    expect(secrets.secretsIn).toBe('key-store');
    expect(secrets.cipher.encrypt('later')).toMatch(/^s1\./);
    expect([before, meanwhile].map(secrets.cipher.decrypt)).toEqual(['before', 'meanwhile']);
  });

  it('makes no key file as long as there is nothing to encrypt', async () => {
    const dir = tempDir();
    const store = locked();
    const secrets = await open(dir, store);
    expect(readdirSync(dir)).toEqual([]);
    store.unlock();
    await vi.waitFor(() => expect(secrets.secretsIn).toBe('key-store'));
    expect(readdirSync(dir)).toEqual(['secret.sealed']);
  });

  it('can be one that is only found late', async () => {
    const dir = tempDir();
    const coming = Promise.withResolvers<KeyStoreAtHand>();
    const secrets = await open(dir, coming.promise);
    expect(secrets.notices).toEqual(WAITING);
    coming.resolve(mine);
    await vi.waitFor(() => expect(secrets.secretsIn).toBe('key-store'));
  });

  it.each([
    ['fails', () => Promise.reject(new Error('Locked')), /cannot open/],
    ['is not there after all', undefined, /does not have at present/],
  ])('has that said when in the end it %s', async (_, end, words) => {
    const dir = tempDir();
    await open(dir, mine, 5000);
    const coming = Promise.withResolvers<KeyStoreAtHand>();
    const secrets = await open(dir, coming.promise);
    coming.resolve(end ? { seal: end, open: end } : 'none');
    await vi.waitFor(() => expect(secrets.notices).toEqual([expect.stringMatching(words)]));
    expect(secrets.secretsIn).toBe('key-file');
  });

  it('does not hold up who closes, and changes nothing after that', async () => {
    const dir = tempDir();
    const store = locked();
    const asked = vi.spyOn(store, 'seal');
    const opened = vi.spyOn(store, 'open');
    const secrets = await open(dir, store);
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    await secrets.close();
    store.unlock();
    await store.seal(Buffer.alloc(32));
    await setImmediate();
    expect(opened).not.toHaveBeenCalled();
    expect(readdirSync(dir)).toEqual([]);
    expect(secrets.secretsIn).toBe('key-file');
  });
});

it('a key store that cannot be looked for is none', async () => {
  const secrets = await open(tempDir(), Promise.reject(new Error('No bus')), 5000);
  expect(secrets.secretsIn).toBe('key-file');
});

describe('a desktop without a keyring', () => {
  it('says so as long as it is so, and keeps secrets by the key file', async () => {
    const secrets = await open(tempDir(), 'none', 5000);
    expect([secrets.secretsIn, secrets.notices]).toEqual(['key-file', []]);
    expect(secrets.remarks).toEqual([expect.stringContaining('no keyring')]);
  });

  it('is not told to use the desktop program for what it cannot read', async () => {
    const dir = tempDir();
    await open(dir, mine, 5000);
    const words = async (store: KeyStoreAtHand) => (await open(dir, store, 5000)).notices.join();
    expect(await words('none')).toMatch(/does not have at present/);
    expect(await words('none')).not.toMatch(/desktop program/);
    expect(await words(undefined)).toMatch(/only the desktop program/);
  });

  it('is none of a server, of which nothing is said', async () => {
    const { notices, remarks } = await open(tempDir(), undefined, 5000);
    expect([notices, remarks]).toEqual([[], []]);
  });
});

describe('a sealed key that the store would seal in another way today', () => {
  const stale = (next: KeyStore): KeyStore => ({
    seal: (key) => next.seal(key),
    open: async (sealed) =>
      next
        .open(sealed)
        .catch(async () => ({ key: (await mine.open(sealed)) as Buffer, isStale: true })),
  });
  const sealedIn = (dir: string) => readFileSync(join(dir, 'secret.sealed'));

  it('is sealed anew, and opens the same secrets', async () => {
    const dir = tempDir();
    const text = (await open(dir, mine, 5000)).cipher.encrypt('secret');
    const next = keyStoreOf('me, with a new key');
    expect((await open(dir, stale(next), 5000)).cipher.decrypt(text)).toBe('secret');
    expect(readdirSync(dir)).toEqual(['secret.sealed']);
    expect((await open(dir, next, 5000)).cipher.decrypt(text)).toBe('secret');
  });

  it.each([
    ['fails', brokenKeyStore],
    [
      'gives another key back',
      { ...brokenKeyStore, seal: (key: Buffer) => keyStoreOf('other').seal(key) },
    ],
  ])('stays as it is where sealing %s', async (_, next) => {
    const dir = tempDir();
    const text = (await open(dir, mine, 5000)).cipher.encrypt('secret');
    const before = sealedIn(dir);
    expect((await open(dir, stale(next), 5000)).cipher.decrypt(text)).toBe('secret');
    expect(sealedIn(dir)).toEqual(before);
  });
});

describe('secrets of a key file, once there is a key store', () => {
  /** Texts that are kept somewhere, and how they are rewritten there. */
  function kept(...texts: string[]) {
    const all = { texts, moves: 0 };
    const move = async (renewed: (text: string) => string) => {
      all.moves++;
      all.texts = all.texts.map(renewed);
    };
    return { all, move };
  }
  const opened = (dir: string, keyStore: KeyStoreAtHand, move: ReturnType<typeof kept>['move']) =>
    openSecrets({ dir, keyStore, move, log });

  it('are moved, and a copy of the data gives them away no more', async () => {
    const dir = tempDir();
    const old = openKeyFileCipher(dir).encrypt('old');
    const { all, move } = kept(old, 'g1.lost');
    const secrets = await opened(dir, mine, move);
    expect(secrets.secretsIn).toBe('key-store');
    expect(all.texts).toEqual([expect.stringMatching(/^s1\./), 'g1.lost']);
    expect(all.texts.slice(0, 1).map(secrets.cipher.decrypt)).toEqual(['old']);
    expect(existsSync(join(dir, 'secret.key'))).toBe(false);
    // A copy of the settings may still have it so.
    expect(secrets.cipher.decrypt(old)).toBe('old');
    const again = await opened(dir, mine, move);
    expect(again.cipher.decrypt(old)).toBe('old');
    expect([again.secretsIn, all.moves]).toEqual(['key-store', 1]);
    expect((await opened(dir, undefined, move)).secretsIn).toBe('key-file');
  });

  it('stay readable, and are not called safe, where they cannot be moved', async () => {
    const dir = tempDir();
    const old = openKeyFileCipher(dir).encrypt('old');
    const secrets = await opened(dir, mine, () => Promise.reject(new Error('Disk full')));
    expect(secrets.secretsIn).toBe('key-file');
    expect(secrets.cipher.decrypt(old)).toBe('old');
    expect(existsSync(join(dir, 'secret.key'))).toBe(true);
    const { all, move } = kept(old);
    expect((await opened(dir, mine, move)).secretsIn).toBe('key-store');
    expect(all.texts).toEqual([expect.stringMatching(/^s1\./)]);
  });

  it('keep their key even when where it would be put cannot be read', async () => {
    const dir = tempDir();
    const old = openKeyFileCipher(dir).encrypt('old');
    writeFileSync(join(dir, 'secret.retired'), 's1.of a sealed key that is lost\n');
    await opened(dir, mine, kept(old).move);
    expect(readFileSync(join(dir, 'secret.retired'), 'utf8')).toMatch(/^s1\.of a .*\ns1\..*\n$/);
    expect((await opened(dir, mine, kept().move)).cipher.decrypt(old)).toBe('old');
  });

  it('are all readable with the key store, whatever starts came before', async () => {
    const start = fc.record({
      with: fc.constantFrom<KeyStoreAtHand>(undefined, 'none', mine, brokenKeyStore),
      text: fc.string({ unit: 'binary' }),
      /** Killed after the texts were rewritten, and before the key was put away. */
      cut: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(start, { maxLength: 8 }), async (starts) => {
        const dir = tempDir();
        const { all, move } = kept();
        const ever: { text: string; encrypted: string }[] = [];
        for (const { with: keyStore, text, cut } of starts) {
          const moved = cut ? (renew: (text: string) => string) => killed(move(renew)) : move;
          const { cipher } = await opened(dir, keyStore, moved);
          const encrypted = cipher.encrypt(text);
          ever.push({ text, encrypted });
          all.texts.push(encrypted);
        }
        const { cipher, secretsIn } = await opened(dir, mine, move);
        expect(secretsIn).toBe('key-store');
        const texts = ever.map(({ text }) => text);
        // As they are now, and as any older copy of the settings has them.
        expect(all.texts.map(cipher.decrypt)).toEqual(texts);
        expect(ever.map(({ encrypted }) => cipher.decrypt(encrypted))).toEqual(texts);
        expect(all.texts.join()).not.toContain('g1.');
        expect(existsSync(join(dir, 'secret.key'))).toBe(false);
      }),
      { numRuns: 20 },
    );
  });
});

async function killed(done: Promise<void>): Promise<never> {
  await done;
  throw new Error('Killed');
}
