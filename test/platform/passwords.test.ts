import { scryptSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { WAITING_PASSWORDS } from '../../server/platform/bounds.ts';
import { createPasswords } from '../../server/platform/passwords.ts';

const passwords = createPasswords();

it('knows a password by its hash, and no other', async () => {
  const stored = await passwords.hash('correct horse');
  expect(stored).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect(await passwords.verify('correct horse', stored)).toBe(true);
  expect(await passwords.verify('correct horsf', stored)).toBe(false);
});

it('salts each hash', async () => {
  expect(await passwords.hash('same')).not.toBe(await passwords.hash('same'));
});

it('takes the same letters from every keyboard', async () => {
  const stored = await passwords.hash('caf\u00e9 caf\u00e9');
  expect(await passwords.verify('cafe\u0301 cafe\u0301', stored)).toBe(true);
});

it('knows nobody by a hash that is damaged', async () => {
  const stored = await passwords.hash('correct horse');
  expect(await passwords.verify('correct horse', stored.slice(0, -4))).toBe(false);
  expect(await passwords.verify('correct horse', 'plain')).toBe(false);
  expect(await passwords.verify('', '')).toBe(false);
});

it('lets a bounded number wait, and serves those', async () => {
  const crowded = createPasswords();
  // Of the least cost that there is.
  const hash = scryptSync('x', 'salt', 32, { N: 2, r: 8, p: 1 }).toString('base64url');
  const stored = `scrypt$2$8$1$${Buffer.from('salt').toString('base64url')}$${hash}`;
  const all = await Promise.allSettled(
    Array.from({ length: WAITING_PASSWORDS + 3 }, () => crowded.verify('x', stored)),
  );
  const refused = all.filter((one) => one.status === 'rejected');
  expect(refused).toHaveLength(2);
  expect(refused[0]?.reason).toMatchObject({ status: 503 });
  const served = all.filter((one) => one.status === 'fulfilled');
  expect(served.every(({ value }) => value)).toBe(true);
  expect(await crowded.hash('x')).toMatch(/^scrypt/);
});
