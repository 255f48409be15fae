import type { Cipher } from '../platform/secrets.ts';
import type { View } from '../platform/settings-file.ts';
import { changedWebhook, checkPlace, webhookView } from '../webhooks/config.ts';
import type { By } from '../webhooks/config.ts';
import type { Resolve } from '../webhooks/places.ts';
import type { NewTenant, Scope, StoredTenant, Tenant, TenantPatch } from './schema.ts';
import type { TenantStore } from './store.ts';

export type Profiles = ReturnType<typeof createProfiles>;

interface Parts {
  tenants: TenantStore;
  cipher: Cipher;
  /** How the name of a webhook's address is looked up, where that is not by the system. */
  resolve?: Resolve | undefined;
}

/** Tenants as they are shown and changed from outside, where their webhook is open. */
export function createProfiles({ tenants, cipher, resolve }: Parts) {
  function viewOf(tenant: View<StoredTenant>, scope: Scope, secret: string | null = null): Tenant {
    const { webhook: stored, ...rest } = tenant;
    const { webhook, problem } = webhookView(stored, cipher, scope);
    return { ...rest, webhook: webhook && { ...webhook, secret }, webhook_problem: problem };
  }

  return {
    list: (): Tenant[] => tenants.list().map((tenant) => viewOf(tenant, 'full')),
    get: (id: string, scope: Scope): Tenant => viewOf(tenants.get(id), scope),
    async create(input: NewTenant, now: number): Promise<Tenant> {
      return viewOf(await tenants.create(input, now), 'full');
    },
    /** Shows the webhook's secret when this change made or set it. */
    async change(id: string, { webhook: patch, ...fields }: TenantPatch, by: By): Promise<Tenant> {
      const before = tenants.get(id).webhook;
      if (patch) await checkPlace(before, patch, { cipher, by, resolve });
      return tenants.change(id, (tenant) => {
        Object.assign(tenant, fields);
        if (patch === undefined) return viewOf(tenant, 'full');
        if (patch === null) return viewOf(Object.assign(tenant, { webhook: null }), 'full');
        const { stored, secret } = changedWebhook(tenant.webhook, patch, { cipher, by });
        return viewOf(Object.assign(tenant, { webhook: stored }), 'full', secret);
      });
    },
  };
}
