import { FULL_KEY, PASSWORD } from './children.ts';
import type { Server } from './children.ts';

interface Call {
  method?: string;
  key?: string;
  cookie?: string;
  body?: object;
}

/** Keys that share the load; the rate limiter counts each by itself. */
export async function loadKeys(server: Server): Promise<string[]> {
  const keys: string[] = [];
  for (const name of ['one', 'two', 'three', 'four']) {
    const body = { name, scope: 'ingest' };
    const made = await call(server, '/api/v1/keys', { method: 'POST', key: FULL_KEY, body });
    keys.push((made.data as { secret: string }).secret);
  }
  return keys;
}

/** The tenant of the first start and another one, each with a key that may read. */
export async function twoTenants(server: Server): Promise<{ id: string; key: string }[]> {
  const first = await call(server, '/api/v1/tenants/me', { key: FULL_KEY });
  const { cookie } = await call(server, '/api/v1/session', {
    method: 'POST',
    body: { password: PASSWORD },
  });
  const signedIn = { method: 'POST', cookie };
  const second = await call(server, '/api/v1/tenants', { ...signedIn, body: { name: 'Other' } });
  const id = (second.data as { id: string }).id;
  await call(server, '/api/v1/session', { method: 'PATCH', cookie, body: { tenant_id: id } });
  const key = await call(server, '/api/v1/keys', {
    ...signedIn,
    body: { name: 'reader', scope: 'full' },
  });
  return [
    { id: (first.data as { id: string }).id, key: FULL_KEY },
    { id, key: (key.data as { secret: string }).secret },
  ];
}

/** How many events the appliance says it has, after everything that it took is in the database. */
export async function countEvents(server: Server): Promise<number> {
  const { data } = await call(server, '/api/v1/events/counts', { key: FULL_KEY });
  return (data as { count: number }[]).reduce((sum, { count }) => sum + count, 0);
}

async function call(server: Server, path: string, { method = 'GET', key, cookie, body }: Call) {
  const url = `http://127.0.0.1:${server.port}`;
  const response = await fetch(url + path, {
    method,
    headers: {
      origin: url,
      ...(key !== undefined && { 'x-api-key': key }),
      ...(cookie !== undefined && { cookie }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) {
    throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  }
  const [session = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  return { data: (await response.json()) as unknown, cookie: session };
}
