import { z } from 'zod';
import { FEWEST_NAMES, MOST_NAMES, NAMES } from '../platform/bounds.ts';
import { optionalBody, time } from '../http/schema.ts';
import { storedWebhook, webhook, webhookPatch } from '../webhooks/schema.ts';

const name = z.string().trim().min(1).max(100);
const days = z.int().min(1).max(3650);
const names = z.int().min(FEWEST_NAMES).max(MOST_NAMES);

const record = {
  id: z.uuid(),
  name,
  retention_days: days.meta({ description: 'How long events are kept as they came' }),
  rollup_retention_days: days.meta({ description: 'How long counts are kept' }),
  max_names: names.meta({
    description:
      'How many pairs of type and source are counted by name: the first to arrive. All others are counted together. Lowering this removes none that are counted already',
  }),
  created_at: time,
};

export const tenant = z
  .object({
    ...record,
    webhook: webhook.nullable(),
    webhook_problem: z
      .string()
      .nullable()
      .meta({ description: 'Why nothing is sent, if something other than `enabled` is the cause' }),
  })
  .meta({ id: 'Tenant' });

export const newTenant = z.strictObject({
  name,
  retention_days: days.default(90),
  rollup_retention_days: days.default(400),
  max_names: names.default(NAMES),
});

export const tenantPatch = z
  .strictObject({
    name,
    retention_days: days,
    rollup_retention_days: days,
    max_names: names,
    webhook: webhookPatch
      .nullable()
      .meta({ description: 'Only the keys that are sent change; null removes the webhook' }),
  })
  .partial();

export const storedTenant = z.strictObject({
  ...record,
  webhook: storedWebhook.nullable().default(null),
});

export const scope = z.enum(['full', 'read', 'ingest', 'metrics']);

/** `shop.example` or `*.shop.example`, as written in an allowed-domains list. */
export const allowedDomain = z
  .string()
  .transform((text, context) => {
    const outcome = readDomain(text);
    if ('domain' in outcome) return outcome.domain;
    context.addIssue({ code: 'custom', message: outcome.fault });
    return z.NEVER;
  })
  .meta({ examples: ['shop.example', '*.shop.example'] });

const allowedDomains = z
  .array(allowedDomain)
  .max(100)
  .transform((domains) => [...new Set(domains)]);

export const newKey = z.strictObject({
  name,
  scope,
  allowed_domains: allowedDomains.default([]),
});

export const keyPatch = z.strictObject({ name, allowed_domains: allowedDomains }).partial();

const rotationBody = z.strictObject({
  overlap_minutes: z
    .int()
    .min(0)
    .max(43_200)
    .default(1440)
    .meta({ description: 'How long the old key still works' }),
});

/** All of it has defaults, so the body may be left out. */
export const rotation = optionalBody(rotationBody);

export const key = z
  .object({
    id: z.uuid(),
    name: z.string(),
    scope,
    allowed_domains: z.array(z.string()),
    last_four: z.string(),
    created_at: time,
    last_used_at: time.nullable(),
    expires_at: time.nullable(),
    replaced_by: z.uuid().nullable(),
  })
  .meta({ id: 'Key' });

export const keyWithSecret = z
  .object({
    ...key.shape,
    secret: z.string().meta({ description: 'The key itself; keep it now' }),
  })
  .meta({ id: 'KeyWithSecret' });

export const keySecret = z.object({ secret: z.string() });

export const storedKey = z.strictObject({
  ...key.shape,
  tenant_id: z.uuid(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  encrypted: z.string(),
  /** What it was made for, where Vedette made it by itself. */
  made_for: z.literal('tag-manager-template').nullable().default(null),
});

/** A key that is handed to Vedette at its first start instead of one that it makes. */
export const givenKey = z.string().regex(/^[\x21-\x7e]{16,200}$/);

export type Tenant = z.infer<typeof tenant>;
export type StoredTenant = z.infer<typeof storedTenant>;
export type NewTenant = z.infer<typeof newTenant>;
export type TenantPatch = z.infer<typeof tenantPatch>;
export type Scope = z.infer<typeof scope>;
export type NewKey = z.infer<typeof newKey>;
export type KeyPatch = z.infer<typeof keyPatch>;
export type KeyView = z.infer<typeof key>;
export type KeyWithSecret = z.infer<typeof keyWithSecret>;
export type StoredKey = z.infer<typeof storedKey>;
export type Purpose = NonNullable<StoredKey['made_for']>;

type Outcome = { domain: string } | { fault: string };

const HOST = /^(?:[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*|\[[0-9a-f:.]+\])$/;

function readDomain(text: string): Outcome {
  const entry = text.trim().toLowerCase();
  if (entry === '*') return { fault: 'is not needed: leave the list empty to allow every domain' };

  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/|\/\/)?(.*)$/s.exec(entry) ?? [];
  const [, wildcard = '', bare = ''] = /^(\*\.)?([^/?#]*)/.exec(rest) ?? [];
  const name = bare.replace(/:\d*$/, '');
  const host = hostOf(name);
  if (host === undefined || name.includes('*')) {
    return name.includes('*')
      ? { fault: 'may have * only at its very start, as in *.shop.example' }
      : { fault: 'is not a domain: write it like shop.example or *.shop.example' };
  }
  const domain = wildcard + host;
  if (scheme !== '') return { fault: `is a full address: write only ${domain}` };
  if (rest.length > wildcard.length + bare.length) {
    return { fault: `has a path: write only ${domain}` };
  }
  if (name !== bare) return { fault: `has a port: write only ${domain}` };
  return { domain };
}

function hostOf(name: string): string | undefined {
  if (name === '' || name.length > 253 || /[\s@\\%]/.test(name)) return undefined;
  let host: string;
  try {
    host = new URL(`http://${name}`).hostname;
  } catch {
    return undefined;
  }
  // The URL parser turns 010.1 into 8.0.0.1, which nobody means who writes it here.
  const isAscii = /^[\x21-\x7e]*$/.test(name);
  return HOST.test(host) && (!isAscii || host === name) ? host : undefined;
}
