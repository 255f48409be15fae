import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../server/platform/log.ts';
import { createPasswords } from '../../server/platform/passwords.ts';
import { openKeyFileCipher } from '../../server/platform/secrets.ts';
import { openSettingsFile } from '../../server/platform/settings-file.ts';
import { createSessionStore } from '../../server/session/store.ts';
import { initialSettings, settingsFileSchema } from '../../server/settings/file-schema.ts';
import { bootstrap } from '../../server/tenants/bootstrap.ts';
import type { NewKey } from '../../server/tenants/schema.ts';
import { createTenantStore } from '../../server/tenants/store.ts';
import { FIRST_KEY, identityParts, START } from '../helpers/identity-parts.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const settingsText = (dir: string) => readFileSync(join(dir, 'settings.json'), 'utf8');
const ingest: NewKey = { name: 'Shop', scope: 'ingest', allowed_domains: ['shop.example'] };
const MINUTE = 60_000;

async function emptyParts() {
  const dir = tempDir();
  const schema = settingsFileSchema;
  const file = await openSettingsFile({ dir, schema, initial: initialSettings, log: silentLog });
  return {
    dir,
    file,
    tenants: createTenantStore({ file }),
    cipher: openKeyFileCipher(dir),
    passwords: createPasswords(),
  };
}

describe('the very first start', () => {
  it('makes a tenant and a full key that is returned once', async () => {
    const parts = await emptyParts();
    const secret = (await bootstrap(parts, {}, START)) ?? '';
    expect(secret).toMatch(/^vdt_[\w-]{43}$/);
    const tenant = { name: 'Default', retention_days: 90, rollup_retention_days: 400 };
    expect(parts.tenants.first()).toMatchObject(tenant);
    expect(parts.tenants.findKey(secret, START)).toMatchObject({ scope: 'full' });
  });

  it('comes once: later ones ignore what is given, however wrong', async () => {
    const parts = await emptyParts();
    await bootstrap(parts, {}, START);
    expect(await bootstrap(parts, { apiKey: 'x', password: 'x' }, START)).toBeUndefined();
    expect(parts.tenants.list()).toHaveLength(1);
  });

  it('takes a given key and password, and keeps neither in the open', async () => {
    const parts = await emptyParts();
    await bootstrap(parts, { apiKey: FIRST_KEY, password: 'correct horse' }, START);
    expect(parts.tenants.findKey(FIRST_KEY, START)).toMatchObject({ scope: 'full' });
    const stored = createSessionStore(parts).password() ?? '';
    expect(await parts.passwords.verify('correct horse', stored)).toBe(true);
    expect(settingsText(parts.dir)).not.toContain(FIRST_KEY);
    expect(settingsText(parts.dir)).not.toContain('correct horse');
  });

  it('returns no key that was given', async () => {
    expect(await bootstrap(await emptyParts(), { apiKey: FIRST_KEY }, START)).toBeUndefined();
  });

  it.each(['short', 'sixteen letters with spaces', 'sechzehn-zeichen-\u00fc', ''])(
    'refuses the key "%s"',
    async (apiKey) => {
      const parts = await emptyParts();
      await expect(bootstrap(parts, { apiKey }, START)).rejects.toThrow('16 to 200 printable');
      expect(parts.tenants.list()).toEqual([]);
    },
  );

  it.each(['too short', ''])('refuses the password "%s"', async (password) => {
    const parts = await emptyParts();
    await expect(bootstrap(parts, { password }, START)).rejects.toThrow('10 to 200 characters');
  });
});

describe('looking up a key', () => {
  it('finds it by its secret alone, also after a restart', async () => {
    const parts = await identityParts();
    const { id: tenantId } = parts.tenants.first();
    const { id, secret } = await parts.keys.issue(tenantId, ingest, START);
    const expected = { keyId: id, tenantId, scope: 'ingest', allowedDomains: ['shop.example'] };
    expect(parts.tenants.findKey(secret, START)).toMatchObject(expected);
    expect(parts.tenants.findKey(`${secret}x`, START)).toBeUndefined();
    expect(parts.tenants.findKey('', START)).toBeUndefined();
    const restarted = await identityParts({ dir: parts.dir });
    expect(restarted.tenants.findKey(secret, START)).toMatchObject(expected);
  });

  it('returns the same object each time', async () => {
    const { tenants } = await identityParts();
    expect(tenants.findKey(FIRST_KEY, START)).toBe(tenants.findKey(FIRST_KEY, START + 1));
  });

  it('stops finding a rotated key when the overlap is over', async () => {
    const { tenants, keys } = await identityParts();
    const { id: tenantId } = tenants.first();
    const old = await keys.issue(tenantId, ingest, START);
    const next = await keys.rotate(tenantId, old.id, 5, START);
    expect(next).toMatchObject({ name: 'Shop', scope: 'ingest', expires_at: null });
    expect(next.allowed_domains).toEqual(['shop.example']);
    expect(tenants.findKey(old.secret, START + 5 * MINUTE - 1)).toBeDefined();
    expect(tenants.findKey(old.secret, START + 5 * MINUTE)).toBeUndefined();
    expect(tenants.findKey(next.secret, START + 5 * MINUTE)).toBeDefined();
    const listed = tenants.listKeys(tenantId).find((key) => key.id === old.id);
    expect(listed).toMatchObject({
      replaced_by: next.id,
      expires_at: '2026-03-01T10:05:00.000Z',
    });
  });

  it('ends a key at once when the overlap is none', async () => {
    const { tenants, keys } = await identityParts();
    const { id: tenantId } = tenants.first();
    const old = await keys.issue(tenantId, ingest, START);
    await keys.rotate(tenantId, old.id, 0, START);
    expect(tenants.findKey(old.secret, START)).toBeUndefined();
  });

  it('notes the time of use without writing, until something else is saved', async () => {
    const { tenants, keys, dir } = await identityParts();
    const { id: tenantId } = tenants.first();
    const before = settingsText(dir);
    tenants.findKey(FIRST_KEY, START + MINUTE);
    const used = '2026-03-01T10:01:00.000Z';
    expect(tenants.listKeys(tenantId)[0]).toMatchObject({ last_used_at: used });
    expect(settingsText(dir)).toBe(before);
    await keys.issue(tenantId, ingest, START);
    expect(settingsText(dir)).toContain(used);
    expect(tenants.listKeys(tenantId)[0]).toMatchObject({ last_used_at: used });
    expect(tenants.listKeys(tenantId)[1]).toMatchObject({ last_used_at: null });
  });

  it('keeps a use that falls into a save', async () => {
    const { tenants, keys } = await identityParts();
    const { id: tenantId } = tenants.first();
    const saving = keys.issue(tenantId, ingest, START);
    tenants.findKey(FIRST_KEY, START + MINUTE);
    await saving;
    const [first] = tenants.listKeys(tenantId);
    expect(first).toMatchObject({ last_used_at: '2026-03-01T10:01:00.000Z' });
  });

  it('writes the times of use when asked to, for closing', async () => {
    const parts = await identityParts();
    parts.tenants.findKey(FIRST_KEY, START + MINUTE);
    await parts.tenants.saveLastUsed();
    const { tenants } = await identityParts({ dir: parts.dir });
    const [first] = tenants.listKeys(tenants.first().id);
    expect(first).toMatchObject({ last_used_at: '2026-03-01T10:01:00.000Z' });
  });
});

it('cannot show a secret that was encrypted with a lost key', async () => {
  const parts = await identityParts();
  const { id: tenantId } = parts.tenants.first();
  const { id } = await parts.keys.issue(tenantId, ingest, START);
  const elsewhere = await identityParts();
  await elsewhere.file.update((draft) => {
    draft.keys = structuredClone(parts.file.data.keys) as typeof draft.keys;
  });
  expect(() => elsewhere.keys.secret(tenantId, id)).toThrow('can no longer be shown');
});
