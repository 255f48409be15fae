import type { Keys } from '../../tenants/keys.ts';
import type { TenantStore } from '../../tenants/store.ts';
import type { Template } from '../template.ts';
import { canonical } from './bodies.ts';
import { close } from './close.ts';
import { draftsOf } from './draft.ts';
import type { Ground } from './ground.ts';
import { planOf } from './plan.ts';
import { keep, proposalOf } from './propose.ts';
import type { Asking } from './propose.ts';
import type { Records } from './records.ts';
import type { NewChange } from './schema.ts';
import type { Change } from './store.ts';

interface Parts {
  ground: (tenantId: string) => Promise<Ground>;
  records: Records;
  template: Pick<Template, 'ensureKey' | 'file'>;
  keys: Pick<Keys, 'secret'>;
  tenants: Pick<TenantStore, 'listKeys'>;
}

/** Proposes what is missing for our template to be there, and its tag on all events. */
export function createInstall({ ground, records, template, keys, tenants }: Parts) {
  /** Compared by what is kept of keys, since looking one up would count as a use of it. */
  function isGoodFor(tenantId: string, now: number) {
    return (secret: string): boolean =>
      tenants.listKeys(tenantId).some(({ id, scope, last_four, expires_at, replaced_by }) => {
        if (scope === 'read' || replaced_by !== null || last_four !== secret.slice(-4))
          return false;
        if (expires_at !== null && Date.parse(expires_at) <= now) return false;
        return isSecretOf(tenantId, id, secret);
      });
  }

  function isSecretOf(tenantId: string, id: string, secret: string): boolean {
    try {
      return keys.secret(tenantId, id) === secret;
    } catch {
      // What cannot be read cannot be compared any further.
      return true;
    }
  }

  async function plan(base: Ground, { tenantId, now }: Asking, url: string | undefined) {
    const code = template.file(url);
    const key = await template.ensureKey(tenantId, now);
    const secret = keys.secret(tenantId, key.id);
    return planOf(base, { code, url, key: secret, isGood: isGoodFor(tenantId, now) });
  }

  /** Asked again, it answers with what it proposed; with another aim, it proposes anew. */
  return async (asking: Asking, url: string | undefined): Promise<Change[]> => {
    const { tenantId } = asking;
    const base = await ground(tenantId);
    const earlier = base.open.filter(({ madeFor }) => madeFor === 'install');
    const others = { ...base, open: base.open.filter((one) => !earlier.includes(one)) };
    if (earlier.some(({ status }) => status !== 'proposed')) return earlier;
    const changes = await plan(others, asking, url);
    if (isSamePlan(changes, earlier)) return earlier;
    const proposals = draftsOf(changes, others).map((draft) =>
      proposalOf(draft, base.of, asking, 'install'),
    );
    return records.write(async (verbs) => {
      // What was accepted while the template was made is being written.
      const still = await verbs.some(tenantId, { ids: earlier.map(({ id }) => id) });
      if (still.some(({ status }) => status !== 'proposed' && status !== 'rejected')) return still;
      const why = `Replaced by a newer proposal from ${asking.who}.`;
      for (const change of still) {
        if (change.status !== 'proposed') continue;
        await close(verbs, asking, change, 'rejected', why, 'replaced');
      }
      await keep(verbs, proposals, asking);
      return proposals;
    });
  };
}

function isSamePlan(changes: readonly NewChange[], earlier: readonly Change[]): boolean {
  const planned = changes.map((one) =>
    sketch(one.action, one.kind, 'id' in one ? one.id : null, 'body' in one ? one.body : null),
  );
  const proposed = earlier.map((one) => sketch(one.action, one.kind, one.objectId, one.after));
  return planned.sort().join('\n') === proposed.sort().join('\n');
}

/** Without the names by which changes call each other. */
function sketch(...parts: unknown[]): string {
  return canonical(parts).replace(/"change:[a-z0-9_-]+"/g, '"change:"');
}
