import { startProblems } from '../platform/start-errors.ts';
import type { Passwords } from '../platform/passwords.ts';
import type { Cipher } from '../platform/secrets.ts';
import { newPassword } from '../session/schema.ts';
import { keyRecord, newSecret } from './keys.ts';
import { givenKey, newKey, newTenant } from './schema.ts';
import { tenantRecord, type TenantStore } from './store.ts';

interface Parts {
  tenants: TenantStore;
  cipher: Cipher;
  passwords: Passwords;
}

interface Given {
  apiKey?: string | undefined;
  password?: string | undefined;
}

/**
 * The very first start: a tenant and a full key. What is given counts then only. Returns the
 * key that was made, to be shown once, or nothing when it was given or is there already.
 */
export async function bootstrap(
  { tenants, cipher, passwords }: Parts,
  { apiKey, password }: Given,
  now: number,
): Promise<string | undefined> {
  if (tenants.list().length > 0) return undefined;
  if (apiKey !== undefined && !givenKey.safeParse(apiKey).success) {
    throw startProblems.weakApiKey();
  }
  if (password !== undefined && !newPassword.safeParse(password).success) {
    throw startProblems.weakPassword();
  }
  const secret = apiKey ?? newSecret();
  const tenant = tenantRecord(newTenant.parse({ name: 'Default' }), now);
  const input = newKey.parse({ name: 'First key', scope: 'full' });
  const key = keyRecord(tenant.id, input, secret, cipher, now);
  await tenants.begin(tenant, key, password && (await passwords.hash(password)));
  return apiKey === undefined ? secret : undefined;
}
