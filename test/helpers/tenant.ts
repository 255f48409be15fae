import { startAppliance } from './appliance.ts';
import type { TestAppliance } from './appliance.ts';
import { sharedDir } from './temp-dir.ts';

let shared: Promise<TestAppliance> | undefined;

/**
 * The appliance that the tests of a worker share. It has the time of day and the options that
 * `startAppliance` gives. A test has one of its own for another clock, restarts, options, the data
 * directory, and what counts for the whole appliance.
 */
export function sharedAppliance(): Promise<TestAppliance> {
  shared ??= startAppliance({ dataDir: sharedDir() });
  return shared;
}

let addresses = 0;

/** An address that nobody has asked from: without a valid key, each may ask 60 times a minute. */
export function strangeAddress(): string {
  addresses++;
  return `10.0.${addresses >> 8}.${addresses & 255}`;
}

/** Somebody at the dashboard, with a session that is their own. */
export async function signIn(appliance: Pick<TestAppliance, 'app' | 'url' | 'signInUrl'>) {
  const { host } = new URL(appliance.url);
  const answer = await appliance.app.inject({
    ...{ method: 'POST', url: '/api/v1/session', headers: { host } },
    payload: { token: new URL(appliance.signInUrl()).hash.slice('#token='.length) },
  });
  if (answer.statusCode !== 201) throw new Error(answer.body);
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  const headers = { host, cookie, origin: appliance.url };

  async function ask(
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
  ) {
    const answer = await appliance.app.inject({
      ...{ method, url: `/api/v1${path}`, headers },
      ...(body && { payload: body }),
    });
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.body}`);
    return answer;
  }
  return { cookie, headers, ask };
}

/**
 * A tenant that nothing was sent to yet, of the appliance that tests share. It has the verbs of an
 * appliance with the key of this tenant.
 */
export async function freshTenant(on?: TestAppliance) {
  const appliance = on ?? (await sharedAppliance());
  const owner = await signIn(appliance);
  const { id } = (await owner.ask('POST', '/tenants', { name: 'Other' })).json<{ id: string }>();
  await owner.ask('PATCH', '/session', { tenant_id: id });
  const made = await owner.ask('POST', '/keys', { name: 'other', scope: 'full' });
  const { secret: key } = made.json<{ secret: string }>();

  return {
    ...{ appliance, app: appliance.app, url: appliance.url, id, key, owner },
    signInUrl: appliance.signInUrl,

    get: (path: string, headers: Record<string, string> = { 'x-api-key': key }) =>
      appliance.get(path, headers),
    post: (body: unknown, headers: Record<string, string> = {}) =>
      appliance.post(body, { 'x-api-key': key, ...headers }),
    pixel: (d: string, by = key) => appliance.pixel(d, by),
    call: (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object) =>
      appliance.app.inject({
        ...{ method, url: `/api/v1${path}`, headers: { 'x-api-key': key } },
        ...(body && { payload: body }),
      }),
  };
}

export type TestTenant = Awaited<ReturnType<typeof freshTenant>>;
