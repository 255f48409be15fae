import { z } from 'zod';
import { time } from '../http/schema.ts';

export const newPassword = z.string().min(10).max(200);
export const openedBy = z.enum(['password', 'link']);

export const signIn = z
  .strictObject({
    password: z.string().min(1).max(200).optional(),
    token: z.string().min(1).max(200).optional(),
  })
  .refine((body) => (body.password === undefined) !== (body.token === undefined), {
    message: 'must have either password or token',
  });

export const session = z
  .object({
    tenant_id: z.uuid(),
    tenant_name: z.string(),
    expires_at: time,
    password_set: z.boolean(),
  })
  .meta({ id: 'Session' });

/** What a page must know before anyone is signed in; trying a password would tell the same. */
export const signInWays = z
  .object({
    password: z.boolean().meta({ description: 'Whether a password is set' }),
  })
  .meta({ id: 'SignInWays' });

export const sessionPatch = z.strictObject({ tenant_id: z.uuid() });

export const passwordChange = z.strictObject({
  password: newPassword,
  current_password: z.string().max(200).optional(),
});

export const sessionEntry = z
  .object({
    id: z.uuid(),
    opened_by: openedBy,
    address: z.string(),
    user_agent: z.string().meta({ description: 'What the browser calls itself' }),
    browser: z.string().meta({ description: 'The same in words', examples: ['Firefox on Linux'] }),
    created_at: time,
    expires_at: time,
    current: z.boolean(),
  })
  .meta({ id: 'SessionEntry' });

export const storedSession = z.strictObject({
  id: z.uuid(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  tenant_id: z.uuid(),
  opened_by: openedBy,
  address: z.string(),
  user_agent: z.string(),
  created_at: time,
  expires_at: time,
});

export type SignIn = z.infer<typeof signIn>;
export type OpenedBy = z.infer<typeof openedBy>;
export type SignInWays = z.infer<typeof signInWays>;
export type SessionView = z.infer<typeof session>;
export type SessionEntry = z.infer<typeof sessionEntry>;
export type StoredSession = z.infer<typeof storedSession>;
export type PasswordChange = z.infer<typeof passwordChange>;
