import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { problems } from '../platform/errors.ts';
import type { Cipher } from '../platform/secrets.ts';
import type { View } from '../platform/settings-file.ts';
import { isDoneWithin } from '../platform/patience.ts';
import type { Scope } from '../tenants/schema.ts';
import { Barred, hostIn, openAddresses, PRIVATE } from './places.ts';
import type { Resolve } from './places.ts';
import { SECRET_PREFIX, sealedPart, severities } from './schema.ts';
import type { SealedPart, StoredWebhook, WebhookPatch, WebhookView } from './schema.ts';

const LOCKED =
  'The address and the secret of this webhook cannot be decrypted. When About says that a keyring ' +
  'is waited for, unlock that; else set it up again';

const AT_FIRST: Omit<StoredWebhook, 'sealed' | 'id'> = {
  enabled: true,
  severities: [...severities],
  repeat_after_minutes: 240,
  format: 'standard',
  problem: null,
};

/** The sealed part, or nothing when it was sealed with a key that is lost. */
export function opened(stored: View<StoredWebhook>, cipher: Cipher): SealedPart | undefined {
  try {
    return sealedPart.parse(JSON.parse(cipher.decrypt(stored.sealed)));
  } catch {
    return undefined;
  }
}

/** Who changes it: only a session is the owner's. */
export type By = 'key' | 'session';

const LOOK_UP_MS = 2000;

/**
 * Throws when a change leads to a place that it may not. A name that cannot be looked up right now
 * is let through, since every attempt looks again.
 */
export async function checkPlace(
  stored: View<StoredWebhook> | null,
  patch: WebhookPatch,
  { cipher, by, resolve }: { cipher: Cipher; by: By; resolve?: Resolve | undefined },
): Promise<void> {
  const before = stored ? opened(stored, cipher) : undefined;
  const { url, allow_private } = placeAfter(before, patch, by);
  if (url === before?.url && allow_private === before.allow_private) return;
  try {
    await isDoneWithin(openAddresses(hostIn(url), allow_private, resolve), LOOK_UP_MS);
  } catch (error) {
    if (!(error instanceof Barred)) return;
    const { message } = error;
    if (message !== PRIVATE) throw problems.invalid([{ path: 'webhook.url', message }]);
    if (by === 'key') throw problems.privateByKey();
    const asked = 'must be true to send alerts to an address on a private network';
    throw problems.invalid([{ path: 'webhook.allow_private', message: asked }]);
  }
}

/** Where a change leads. What was allowed was allowed for the address of that time, and no other. */
function placeAfter(before: SealedPart | undefined, patch: WebhookPatch, by: By) {
  const url = patch.url ?? before?.url;
  if (url === undefined) {
    throw problems.invalid([{ path: 'webhook.url', message: 'is required' }]);
  }
  const isAllowed = url === before?.url && before.allow_private;
  const allow_private = patch.allow_private ?? isAllowed;
  if (allow_private && !isAllowed && by === 'key') throw problems.privateByKey();
  return { url, allow_private };
}

/** What is stored after a change, and the secret when this change made or set it. */
export function changedWebhook(
  stored: StoredWebhook | null,
  patch: WebhookPatch,
  { cipher, by }: { cipher: Cipher; by: By },
): { stored: StoredWebhook; secret: string | null } {
  const { secret, headers, ...rest } = patch;
  const before = stored ? opened(stored, cipher) : undefined;
  const { url: address, allow_private } = placeAfter(before, patch, by);
  const isElsewhere =
    before !== undefined && new URL(address).origin !== new URL(before.url).origin;
  if (isElsewhere && Object.keys(before.headers).length > 0 && !isWhole(headers)) {
    throw problems.invalid([{ path: 'webhook.headers', message: ELSEWHERE }]);
  }
  const part: SealedPart = {
    url: address,
    secret: secret ?? before?.secret ?? SECRET_PREFIX + randomBytes(32).toString('base64'),
    headers: headers ? mergedHeaders(headers, before?.headers ?? {}) : (before?.headers ?? {}),
    allow_private,
  };
  const isNewPlace = address !== before?.url;
  const known = stored ?? AT_FIRST;
  const enabled = rest.enabled ?? known.enabled;
  const isAsBefore = stored !== null && isDeepStrictEqual(part, before);
  return {
    stored: {
      id: isAsBefore && (stored.enabled || !enabled) ? stored.id : randomUUID(),
      enabled,
      severities: rest.severities ?? known.severities,
      repeat_after_minutes: rest.repeat_after_minutes ?? known.repeat_after_minutes,
      format: rest.format ?? known.format,
      // Sealing makes another text each time, and what changes nothing should write nothing.
      sealed: isAsBefore ? stored.sealed : cipher.encrypt(JSON.stringify(part)),
      problem: isNewPlace || rest.enabled ? null : known.problem,
    },
    secret: secret || before === undefined ? part.secret : null,
  };
}

/** Nobody may learn the value of a header by having it sent to another place. */
const ELSEWHERE = 'must be sent again, with their values, when the address is at another place';

const isWhole = (headers: Record<string, string | null> | undefined) =>
  headers !== undefined && Object.values(headers).every((value) => value !== null);

function mergedHeaders(
  given: Record<string, string | null>,
  before: Record<string, string>,
): Record<string, string> {
  const known = new Map(Object.entries(before).map(([name, value]) => [name.toLowerCase(), value]));
  const missing: string[] = [];
  const merged = Object.entries(given).map(([name, value]) => {
    const kept = value ?? known.get(name.toLowerCase());
    if (kept === undefined) missing.push(name);
    return [name, kept ?? ''];
  });
  if (missing.length === 0) return Object.fromEntries(merged) as Record<string, string>;
  throw problems.invalid(
    missing.map((name) => ({
      path: `webhook.headers.${name}`,
      message: 'must be a string: null keeps a value that is stored, and none is',
    })),
  );
}

/** The webhook as it is shown, without what is secret about it. */
export function webhookView(
  stored: View<StoredWebhook> | null,
  cipher: Cipher,
  scope: Scope,
): { webhook: WebhookView | null; problem: string | null } {
  if (stored === null) return { webhook: null, problem: null };
  const part = opened(stored, cipher);
  if (part === undefined) return { webhook: null, problem: LOCKED };
  return {
    webhook: {
      // The whole address lets anyone write into the chat that it belongs to.
      url: scope === 'full' ? part.url : `${new URL(part.url).origin}/…`,
      secret: null,
      enabled: stored.enabled,
      severities: [...stored.severities],
      repeat_after_minutes: stored.repeat_after_minutes,
      format: stored.format,
      headers: Object.fromEntries(Object.keys(part.headers).map((name) => [name, null])),
      allow_private: part.allow_private,
    },
    problem: stored.problem,
  };
}
