import { readFileSync } from 'node:fs';
import type { About } from '../settings/about.ts';
import type { Keys } from '../tenants/keys.ts';
import type { KeyView } from '../tenants/schema.ts';
import type { TenantStore } from '../tenants/store.ts';
import type { TemplateView } from './schema.ts';

/** What stands in the file for the address of the appliance that hands it out. */
const PLACEHOLDER = 'https://vedette.example';

const FILE = new URL('./template.tpl', import.meta.url);

const PURPOSE = 'tag-manager-template';

interface Parts {
  keys: Pick<Keys, 'forPurpose'>;
  tenants: Pick<TenantStore, 'keyFor'>;
  about: About;
}

export type Template = ReturnType<typeof createTemplate>;

/** The tag manager's template, and the key that its tag sends with. */
export function createTemplate({ keys, tenants, about }: Parts) {
  return {
    view: (tenantId: string, now: number): TemplateView => ({
      url: addressOf(about()),
      key: tenants.keyFor(tenantId, PURPOSE, now) ?? null,
    }),
    /** The key for the tag, made where there is none. */
    ensureKey(tenantId: string, now: number): Promise<KeyView> {
      const input = { name: 'Tag manager', scope: 'ingest' as const, allowed_domains: [] };
      return keys.forPurpose(tenantId, PURPOSE, input, now);
    },
    file: (url: string | undefined): string => templateFor(url ?? addressOf(about())),
  };
}

/** As it is imported, for one address, which has no path. */
export function templateFor(url: string): string {
  return readFileSync(FILE, 'utf8').replaceAll(PLACEHOLDER, () => url);
}

/** The one that reaches furthest. */
function addressOf({ public_url, addresses, url }: ReturnType<About>): string {
  return public_url ?? addresses[0] ?? url;
}
