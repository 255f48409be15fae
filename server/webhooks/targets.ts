import type { Cipher } from '../platform/secrets.ts';
import { problems } from '../platform/errors.ts';
import type { Severity } from '../rules/schema.ts';
import type { TenantStore } from '../tenants/store.ts';
import { opened } from './config.ts';
import type { SealedPart, WebhookFormat } from './schema.ts';

/** Where to send now: to a place, nowhere any more, or somewhere that cannot be read. */
export type Target =
  | { kind: 'place'; part: SealedPart; format: WebhookFormat; sealed: string }
  | { kind: 'none'; why: string }
  | { kind: 'locked'; why: string };

export const REMOVED = 'the webhook was removed';

export type Targets = ReturnType<typeof createTargets>;

/** Each tenant's webhook as sending needs it, always as it is at that moment. */
export function createTargets({ tenants, cipher }: { tenants: TenantStore; cipher: Cipher }) {
  const stored = (tenantId: string) => tenants.find(tenantId)?.webhook ?? undefined;

  return {
    tenant: tenants.get,

    wants: (tenantId: string, severity: Severity) => {
      const webhook = stored(tenantId);
      if (!webhook?.enabled || !webhook.severities.includes(severity)) return undefined;
      return { id: webhook.id, repeatAfterMinutes: webhook.repeat_after_minutes };
    },

    of(tenantId: string): Target {
      const webhook = stored(tenantId);
      if (webhook === undefined) return { kind: 'none', why: REMOVED };
      if (!webhook.enabled) return { kind: 'none', why: 'the webhook is switched off' };
      const part = opened(webhook, cipher);
      const why = 'the address and the secret of the webhook cannot be decrypted';
      if (part === undefined) return { kind: 'locked', why };
      return { kind: 'place', part, format: webhook.format, sealed: webhook.sealed };
    },

    secret(tenantId: string): string {
      const webhook = stored(tenantId);
      if (webhook === undefined) throw problems.notFound('A webhook');
      const part = opened(webhook, cipher);
      if (part === undefined) throw problems.webhookUnreadable();
      return part.secret;
    },

    isOn: (tenantId: string): boolean => stored(tenantId)?.enabled === true,

    /** Unless it was set up anew since: `sealed` names the one that is meant. */
    switchOff: (tenantId: string, sealed: string, problem: string): Promise<void> =>
      tenants.change(tenantId, ({ webhook }) => {
        if (webhook?.sealed !== sealed) return;
        webhook.enabled = false;
        webhook.problem = problem;
      }),
  };
}
