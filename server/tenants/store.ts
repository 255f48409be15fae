import { randomUUID } from 'node:crypto';
import { problems } from '../platform/errors.ts';
import { sha256Hex } from '../platform/secrets.ts';
import type { SettingsFile, View } from '../platform/settings-file.ts';
import type { SettingsData } from '../settings/file-schema.ts';
import type {
  KeyPatch,
  KeyView,
  NewTenant,
  Purpose,
  Scope,
  StoredKey,
  StoredTenant,
} from './schema.ts';

/** A key as a request meets it: made once per change of the keys, so a look-up makes nothing. */
export interface Key {
  readonly via: 'key';
  readonly keyId: string;
  readonly tenantId: string;
  readonly scope: Scope;
  readonly allowedDomains: readonly string[];
  readonly expiresAt: number;
  lastUsedAt: number;
}

export type TenantStore = ReturnType<typeof createTenantStore>;

// Longer than any key; hashing a pixel address of 64 KiB would be work for nothing.
const MAX_SECRET = 200;

export function createTenantStore({ file }: { file: SettingsFile<SettingsData> }) {
  let keys = indexed(file.data.keys, new Map());

  /** Times of use are too frequent to be saved by themselves, so they ride along. */
  async function save<Result>(mutator: (draft: SettingsData) => Result): Promise<Result> {
    const used = new Map([...keys.values()].map((key) => [key.keyId, key.lastUsedAt]));
    const result = await file.update((draft) => {
      for (const key of draft.keys) key.last_used_at = timeOf(used.get(key.id) ?? 0);
      return mutator(draft);
    });
    keys = indexed(file.data.keys, keys);
    return result;
  }

  /** Field by field, so that neither the hash nor the encrypted secret can get out. */
  function viewOf(key: View<StoredKey>): KeyView {
    return {
      id: key.id,
      name: key.name,
      scope: key.scope,
      allowed_domains: [...key.allowed_domains],
      last_four: key.last_four,
      created_at: key.created_at,
      last_used_at: timeOf(keys.get(key.hash)?.lastUsedAt ?? 0),
      expires_at: key.expires_at,
      replaced_by: key.replaced_by,
    };
  }

  return {
    list: (): View<StoredTenant>[] => [...file.data.tenants],
    first: (): View<StoredTenant> => found(file.data.tenants[0], 'Tenant'),
    get: (id: string): View<StoredTenant> => byId(file.data.tenants, id, 'Tenant'),
    find: (id: string): View<StoredTenant> | undefined =>
      file.data.tenants.find((tenant) => tenant.id === id),
    async create(input: NewTenant, now: number): Promise<StoredTenant> {
      const tenant = tenantRecord(input, now);
      checkRetention(tenant);
      await save((draft) => draft.tenants.push(tenant));
      return tenant;
    },
    /** What `mutator` throws leaves everything as it was. */
    change: <Result>(id: string, mutator: (tenant: StoredTenant) => Result): Promise<Result> =>
      save((draft) => {
        const tenant = byId(draft.tenants, id, 'Tenant');
        const result = mutator(tenant);
        checkRetention(tenant);
        return result;
      }),

    /** The first start: tenant, key and password stand together or not at all. */
    begin: (tenant: StoredTenant, key: StoredKey, password: string | undefined) =>
      save((draft) => {
        draft.tenants.push(tenant);
        draft.keys.push(key);
        draft.password = password ?? null;
      }),

    /** The way in for every event: one hash and one look-up. */
    findKey(secret: string, now: number): Key | undefined {
      if (secret.length > MAX_SECRET) return undefined;
      const key = keys.get(sha256Hex(secret));
      if (key === undefined || key.expiresAt <= now) return undefined;
      key.lastUsedAt = now;
      return key;
    },
    isLive: (keyId: string, now: number): boolean =>
      file.data.keys.some((key) => key.id === keyId && endOf(key) > now),
    listKeys: (tenantId: string): KeyView[] => ownKeys(file.data.keys, tenantId).map(viewOf),
    encryptedSecret: (tenantId: string, id: string): string =>
      byId(ownKeys(file.data.keys, tenantId), id, 'Key').encrypted,
    async addKey(key: StoredKey): Promise<KeyView> {
      await save((draft) => draft.keys.push(key));
      return viewOf(key);
    },
    /** The newest that works and has no successor. */
    keyFor: (tenantId: string, purpose: Purpose, now: number): KeyView | undefined => {
      const key = liveKeyFor(file.data.keys, tenantId, purpose, now);
      return key && viewOf(key);
    },
    /** Two that ask at once get one and the same. */
    async ensureKey(key: StoredKey & { made_for: Purpose }, now: number): Promise<KeyView> {
      const kept = await save((draft) => {
        const known = liveKeyFor(draft.keys, key.tenant_id, key.made_for, now);
        if (known === undefined) draft.keys.push(key);
        return known ?? key;
      });
      return viewOf(kept);
    },
    async changeKey(tenantId: string, id: string, patch: KeyPatch): Promise<KeyView> {
      const changed = await save((draft) =>
        Object.assign(byId(ownKeys(draft.keys, tenantId), id, 'Key'), patch),
      );
      return viewOf(changed);
    },
    removeKey: (tenantId: string, id: string, by: { keyId?: string }) =>
      save((draft) => {
        const own = ownKeys(draft.keys, tenantId);
        const key = byId(own, id, 'Key');
        // A key that was rotated ends by itself, so it does not count as one that is left.
        const isLeft = (other: StoredKey) => other.scope === 'full' && other.expires_at === null;
        if (by.keyId === id && !own.some((other) => other !== key && isLeft(other))) {
          throw problems.lastFullKey();
        }
        draft.keys = draft.keys.filter((other) => other !== key);
      }),
    /** Puts a successor beside a key, which ends at the given time. */
    async replaceKey(
      tenantId: string,
      id: string,
      successor: (old: StoredKey) => StoredKey,
      end: number,
    ): Promise<KeyView> {
      const added = await save((draft) => {
        const old = byId(ownKeys(draft.keys, tenantId), id, 'Key');
        if (old.replaced_by !== null) throw problems.alreadyRotated();
        const next = successor(old);
        old.replaced_by = next.id;
        old.expires_at = new Date(end).toISOString();
        draft.keys.push(next);
        return next;
      });
      return viewOf(added);
    },

    /** For closing: writes the times of use that no other save took along. */
    saveLastUsed: () => save(() => undefined),
  };
}

export function tenantRecord(input: NewTenant, now: number): StoredTenant {
  return { id: randomUUID(), ...input, created_at: new Date(now).toISOString(), webhook: null };
}

function checkRetention(tenant: StoredTenant): void {
  if (tenant.rollup_retention_days >= tenant.retention_days) return;
  const message = `must be at least retention_days (${tenant.retention_days})`;
  throw problems.invalid([{ path: 'rollup_retention_days', message }]);
}

/** Uses that were noted while a save was under way are taken over from the keys known so far. */
function indexed(stored: View<StoredKey[]>, known: Map<string, Key>): Map<string, Key> {
  return new Map(
    stored.map((record) => [
      record.hash,
      {
        via: 'key',
        keyId: record.id,
        tenantId: record.tenant_id,
        scope: record.scope,
        allowedDomains: record.allowed_domains,
        expiresAt: endOf(record),
        lastUsedAt: known.get(record.hash)?.lastUsedAt ?? momentOf(record.last_used_at),
      },
    ]),
  );
}

function ownKeys<K extends { readonly tenant_id: string }>(keys: readonly K[], tenantId: string) {
  return keys.filter((key) => key.tenant_id === tenantId);
}

function liveKeyFor<K extends View<StoredKey>>(
  keys: readonly K[],
  tenantId: string,
  purpose: Purpose,
  now: number,
): K | undefined {
  return ownKeys(keys, tenantId).findLast(
    (key) => key.made_for === purpose && key.replaced_by === null && endOf(key) > now,
  );
}

function byId<T extends { readonly id: string }>(all: readonly T[], id: string, what: string): T {
  return found(
    all.find((one) => one.id === id),
    what,
  );
}

function found<T>(one: T | undefined, what: string): T {
  if (one === undefined) throw problems.notFound(what);
  return one;
}

function endOf({ expires_at }: Pick<StoredKey, 'expires_at'>): number {
  return expires_at === null ? Infinity : Date.parse(expires_at);
}

function momentOf(time: string | null): number {
  return time === null ? 0 : Date.parse(time);
}

function timeOf(moment: number): string | null {
  return moment > 0 ? new Date(moment).toISOString() : null;
}
