import { z } from 'zod';
import { flag, paging, time } from '../../http/schema.ts';

export const faultCodes = [
  // on the way to a connection
  'denied',
  'cancelled',
  'timed_out',
  'code_refused',
  'access_failed',
  'wrong_client',
  'missing_scope',
  'no_refresh_token',
  'no_accounts',
  // once there is one
  'not_connected',
  'nothing_chosen',
  'grant_ended',
  'tokens_unreadable',
  'wrong_account',
  'no_permission',
  'api_disabled',
  'workspace_gone',
  'not_found',
  'conflict',
  'refused',
  'quota_day',
  'quota',
  'unreachable',
  'stopped',
] as const;
export const faultCode = z.enum(faultCodes);

export const fault = z
  .object({
    code: faultCode,
    what: z.string().meta({ description: 'What is wrong, in a sentence' }),
    next: z.string().meta({ description: 'The way on, in a sentence' }),
    at: time,
  })
  .meta({ id: 'TagManagerFault' });

export const job = z
  .object({
    kind: z.enum(['snapshot', 'apply']),
    step: z.string().meta({ description: 'What is being done, in words' }),
    requests: z.int().meta({ description: 'Requests made so far' }),
    expected: z
      .int()
      .nullable()
      .meta({ description: 'Requests in all, as far as that can be known' }),
    waiting_seconds: z
      .int()
      .meta({ description: 'How long the next request waits for the quota of the API' }),
    left_seconds: z.int().nullable().meta({ description: 'About how long it will still take' }),
    started_at: time,
  })
  .meta({ id: 'TagManagerJob' });

export const chosen = z
  .object({
    account_id: z.string(),
    account_name: z.string(),
    container_id: z.string(),
    container_name: z.string(),
    public_id: z.string().meta({ examples: ['GTM-ABC1234'] }),
    workspace_id: z.string(),
    workspace_name: z.string(),
  })
  .meta({ id: 'TagManagerChosen' });

export const connectionView = z
  .object({
    state: z.enum(['not_connected', 'waiting', 'connected']).meta({
      description: '`waiting`: the consent screen is open, and has not been answered yet',
    }),
    client: z.object({
      id: z.string().nullable().meta({ description: 'The OAuth client ID of your own' }),
      has_secret: z.boolean(),
    }),
    redirect_uri: z.string().meta({ description: 'Where the consent screen leads back to' }),
    waiting: z
      .object({
        authorize_url: z.string().meta({ description: 'The consent screen, for this one attempt' }),
        until: time,
      })
      .nullable(),
    connected_at: time.nullable(),
    may_edit: z.boolean().meta({
      description: 'Whether editing workspaces was consented to, besides reading',
    }),
    chosen: chosen.nullable(),
    problem: fault.nullable().meta({
      description: 'What stands in the way, until it is put right',
    }),
    job: job.nullable().meta({ description: 'What is under way' }),
    last_failure: fault
      .nullable()
      .meta({ description: 'Why the last snapshot or writing of changes came to nothing' }),
    quota: z.object({
      used_today: z.int().meta({ description: 'Requests in the last 24 hours, since the start' }),
      per_day: z.int(),
      waiting_seconds: z
        .int()
        .meta({ description: 'How long the next request has to wait: so many in 100 seconds' }),
    }),
  })
  .meta({ id: 'TagManagerConnection' });

const opaque = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII characters without spaces');

export const clientInput = z.strictObject({
  client_id: opaque(200).meta({ examples: ['1234567890-abc.apps.googleusercontent.com'] }),
  client_secret: opaque(200).nullable().optional().meta({
    description: 'Left out keeps what is stored for this client, null removes it',
  }),
});

/** The address that the consent screen led to, where that browser could not reach Vedette. */
export const answerInput = z.strictObject({ address: z.string().trim().min(1).max(4000) });

export const disconnected = z
  .object({
    revoked: z
      .boolean()
      .meta({ description: 'Whether the identity provider has withdrawn the grant too' }),
    detail: z.string(),
  })
  .meta({ id: 'TagManagerDisconnected' });

const search = z.string().trim().max(200).optional().meta({ description: 'Part of a name or id' });
const numeric = z.string().regex(/^\d{1,20}$/, 'must be a number');

export const accountQuery = paging.extend({ search, refresh: flag });
export const containerQuery = accountQuery.extend({ account_id: numeric });
export const workspaceQuery = containerQuery.extend({ container_id: numeric });

export const accountView = z
  .object({ account_id: z.string(), name: z.string() })
  .meta({ id: 'TagManagerAccount' });
export const containerView = z
  .object({
    account_id: z.string(),
    container_id: z.string(),
    public_id: z.string(),
    name: z.string(),
    usage_context: z.array(z.string()).meta({ examples: [['web']] }),
  })
  .meta({ id: 'TagManagerContainer' });
export const workspaceView = z
  .object({
    account_id: z.string(),
    container_id: z.string(),
    workspace_id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
  })
  .meta({ id: 'TagManagerWorkspace' });

export const selection = z.strictObject({
  account_id: numeric,
  container_id: numeric,
  workspace_id: numeric,
});

/** One for each tenant. What is secret about it is encrypted. */
export const storedConnection = z.strictObject({
  tenant_id: z.uuid(),
  client_id: z.string(),
  client_secret: z.string().nullable(),
  /** Encrypted JSON of `tokens`. */
  tokens: z.string().nullable(),
  scopes: z.array(z.string()),
  connected_at: time.nullable(),
  chosen: chosen.nullable(),
  problem: fault.nullable(),
});

export const tokens = z.strictObject({
  access: z.string(),
  /** In milliseconds since 1970. */
  access_ends: z.number(),
  refresh: z.string(),
});

export type FaultCode = z.infer<typeof faultCode>;
export type FaultView = z.infer<typeof fault>;
export type JobView = z.infer<typeof job>;
export type Chosen = z.infer<typeof chosen>;
export type ConnectionView = z.infer<typeof connectionView>;
export type ClientInput = z.infer<typeof clientInput>;
export type Disconnected = z.infer<typeof disconnected>;
export type AccountView = z.infer<typeof accountView>;
export type ContainerView = z.infer<typeof containerView>;
export type WorkspaceView = z.infer<typeof workspaceView>;
export type AccountQuery = z.infer<typeof accountQuery>;
export type ContainerQuery = z.infer<typeof containerQuery>;
export type WorkspaceQuery = z.infer<typeof workspaceQuery>;
export type Selection = z.infer<typeof selection>;
export type StoredConnection = z.infer<typeof storedConnection>;
export type Tokens = z.infer<typeof tokens>;
