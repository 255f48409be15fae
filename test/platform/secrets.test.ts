import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StartError } from '../../server/platform/start-errors.ts';
import { openKeyFileCipher, randomToken, sha256Hex } from '../../server/platform/secrets.ts';
import { smallDisk, whyNoSmallDisk } from '../helpers/small-disk.ts';
import { tempDir } from '../helpers/temp-dir.ts';

it('hashes as everyone else does', () => {
  const text = 'vdt_ÄÖ€';
  expect(sha256Hex(text)).toBe(createHash('sha256').update(text).digest('hex'));
});

it('makes tokens that fit into a URL and differ', () => {
  expect(randomToken(32)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(randomToken(32)).not.toBe(randomToken(32));
});

describe('the key file cipher', () => {
  it('reads back what it encrypted, also after opening again', () => {
    const dir = tempDir();
    const sealed = openKeyFileCipher(dir).encrypt('secret ✓');
    expect(sealed).not.toContain('secret');
    expect(openKeyFileCipher(dir).decrypt(sealed)).toBe('secret ✓');
  });

  it('encrypts the same text differently each time', () => {
    const cipher = openKeyFileCipher(tempDir());
    expect(cipher.encrypt('same')).not.toBe(cipher.encrypt('same'));
  });

  it('refuses what was changed, cut, or encrypted with another key', () => {
    const cipher = openKeyFileCipher(tempDir());
    const sealed = cipher.encrypt('secret');
    const changed = sealed.slice(0, 20) + (sealed[20] === 'A' ? 'B' : 'A') + sealed.slice(21);
    expect(() => cipher.decrypt(changed)).toThrow();
    expect(() => cipher.decrypt(sealed.slice(0, 12))).toThrow();
    expect(() => cipher.decrypt('plain')).toThrow();
    expect(() => openKeyFileCipher(tempDir()).decrypt(sealed)).toThrow();
  });

  it.skipIf(process.platform === 'win32')('keeps its key from other accounts', () => {
    const dir = tempDir();
    openKeyFileCipher(dir);
    expect(statSync(join(dir, 'secret.key')).mode & 0o777).toBe(0o600);
  });

  it('fills a key file that a cut-off first start left empty', () => {
    const dir = tempDir();
    writeFileSync(join(dir, 'secret.key'), '');
    openKeyFileCipher(dir);
    expect(readFileSync(join(dir, 'secret.key'))).toHaveLength(32);
  });

  it.skipIf(whyNoSmallDisk() !== undefined)(
    'stops the start in words where there is no room for its key, and fills it in at the next',
    () => {
      const disk = smallDisk('1m');
      disk.fill();
      expect(() => openKeyFileCipher(disk.dir)).toThrow(StartError);
      expect(() => openKeyFileCipher(disk.dir)).toThrow('the disk is full');
      disk.makeRoom();
      const cipher = openKeyFileCipher(disk.dir);
      expect(cipher.decrypt(cipher.encrypt('secret'))).toBe('secret');
    },
  );

  it('stops the start over a damaged key file, and leaves it as it is', () => {
    const dir = tempDir();
    writeFileSync(join(dir, 'secret.key'), 'short');
    expect(() => openKeyFileCipher(dir)).toThrow(StartError);
    expect(readFileSync(join(dir, 'secret.key'), 'utf8')).toBe('short');
  });
});
