import type { TestAppliance } from './appliance.ts';

/** A second tenant with a key of its own, made as an owner would in the dashboard. */
export async function secondTenant(
  vedette: Pick<TestAppliance, 'app' | 'signInUrl'>,
): Promise<string> {
  const token = new URL(vedette.signInUrl()).hash.slice('#token='.length);
  const host = 'localhost';
  const signedIn = await vedette.app.inject({
    method: 'POST',
    url: '/api/v1/session',
    headers: { host },
    payload: { token },
  });
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
  const headers = { host, cookie, origin: `http://${host}` };
  const tenant = await vedette.app.inject({
    method: 'POST',
    url: '/api/v1/tenants',
    headers,
    payload: { name: 'Other' },
  });
  const { id } = tenant.json<{ id: string }>();
  await vedette.app.inject({
    method: 'PATCH',
    url: '/api/v1/session',
    headers,
    payload: { tenant_id: id },
  });
  const key = await vedette.app.inject({
    method: 'POST',
    url: '/api/v1/keys',
    headers,
    payload: { name: 'other', scope: 'full' },
  });
  return key.json<{ secret: string }>().secret;
}
