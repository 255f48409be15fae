import { createHmac, timingSafeEqual } from 'node:crypto';
import { randomToken } from '../platform/secrets.ts';

/**
 * A browser that has signed in says so by a token, and then no guesser at its address keeps it out.
 * The password's hash, salt and all, signs it: nothing is stored, and a new password ends them all.
 */
export function deviceToken(passwordHash: string, id = randomToken(16)): string {
  return `${id}.${signature(id, passwordHash)}`;
}

/** Which browser a token was given to; nothing unless it is one of ours. */
export function deviceOf(
  token: string | undefined,
  passwordHash: string | null,
): string | undefined {
  const [, id, signed = ''] = /^([\w-]{22})\.([\w-]{43})$/.exec(token ?? '') ?? [];
  if (id === undefined || passwordHash === null) return undefined;
  const expected = Buffer.from(signature(id, passwordHash));
  return timingSafeEqual(expected, Buffer.from(signed)) ? id : undefined;
}

function signature(id: string, passwordHash: string): string {
  return createHmac('sha256', passwordHash).update(id).digest('base64url');
}
