import { randomUUID } from 'node:crypto';
import { problems } from '../platform/errors.ts';
import { randomToken, sha256Hex, type Cipher } from '../platform/secrets.ts';
import type { KeyView, KeyWithSecret, NewKey, Purpose, StoredKey } from './schema.ts';
import type { TenantStore } from './store.ts';

export type Keys = ReturnType<typeof createKeys>;

export function createKeys({ tenants, cipher }: { tenants: TenantStore; cipher: Cipher }) {
  return {
    async issue(tenantId: string, input: NewKey, now: number): Promise<KeyWithSecret> {
      const secret = newSecret();
      const key = await tenants.addKey(keyRecord(tenantId, input, secret, cipher, now));
      return { ...key, secret };
    },
    /** The key that Vedette itself hands out for something; made when there is none that works. */
    async forPurpose(
      tenantId: string,
      purpose: Purpose,
      input: NewKey,
      now: number,
    ): Promise<KeyView> {
      const known = tenants.keyFor(tenantId, purpose, now);
      if (known) return known;
      const record = keyRecord(tenantId, input, newSecret(), cipher, now);
      return tenants.ensureKey({ ...record, made_for: purpose }, now);
    },
    /** The old key works on until the overlap is over, so that nothing in use breaks at once. */
    async rotate(
      tenantId: string,
      id: string,
      overlapMinutes: number,
      now: number,
    ): Promise<KeyWithSecret> {
      const secret = newSecret();
      const successor = (old: StoredKey): StoredKey => ({
        ...keyRecord(tenantId, old, secret, cipher, now),
        made_for: old.made_for,
      });
      const end = now + overlapMinutes * 60_000;
      return { ...(await tenants.replaceKey(tenantId, id, successor, end)), secret };
    },
    secret(tenantId: string, id: string): string {
      const encrypted = tenants.encryptedSecret(tenantId, id);
      try {
        return cipher.decrypt(encrypted);
      } catch {
        throw problems.secretUnreadable();
      }
    },
  };
}

export function newSecret(): string {
  return `vdt_${randomToken(32)}`;
}

export function keyRecord(
  tenantId: string,
  { name, scope, allowed_domains }: NewKey,
  secret: string,
  cipher: Cipher,
  now: number,
): StoredKey {
  return {
    id: randomUUID(),
    tenant_id: tenantId,
    name,
    scope,
    allowed_domains: [...allowed_domains],
    hash: sha256Hex(secret),
    encrypted: cipher.encrypt(secret),
    last_four: secret.slice(-4),
    created_at: new Date(now).toISOString(),
    last_used_at: null,
    expires_at: null,
    replaced_by: null,
    made_for: null,
  };
}
