import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished } from 'vitest';
import type { StartOptions } from '../../../server/appliance.ts';
import type { Kind } from '../../../server/tagmanager/api/schema.ts';
import { kinds } from '../../../server/tagmanager/api/schema.ts';
import type { AuditEntry, ChangeView } from '../../../server/tagmanager/changes/schema.ts';
import type { ConnectionView } from '../../../server/tagmanager/connection/schema.ts';
import type { SnapshotView } from '../../../server/tagmanager/snapshot/schema.ts';
import { KEY, startAppliance } from '../../helpers/appliance.ts';
import type { TestAppliance } from '../../helpers/appliance.ts';
import { startGoogle } from '../../helpers/google.ts';
import type { Google } from '../../helpers/google.ts';
import type { Consent } from '../../helpers/identity-provider.ts';
import type {
  Recorded,
  TagManagerApi,
  TagManagerApiOptions,
} from '../../helpers/tag-manager-api/start.ts';
import { sharedDir } from '../../helpers/temp-dir.ts';
import { freshTenant } from '../../helpers/tenant.ts';

export const ADA = 'ada@shop.example';

type Place = ReturnType<TagManagerApi['container']>;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Answer<T> {
  status: number;
  body: T;
  text: string;
}

/** The time of day, but that a wait is over at once. */
export function createHurriedClock(): Required<Pick<StartOptions, 'clock' | 'tagManagerWait'>> {
  let ahead = 0;
  return {
    clock: { now: () => Date.now() + ahead },
    tagManagerWait: async (ms) => {
      ahead += ms;
    },
  };
}

/** A person at the dashboard of an appliance: of one in this process, or by its real port. */
export function personAt(url: string, cookie: string, app?: FastifyInstance) {
  const send = app ? within(app) : overPort;

  async function ask<T = unknown>(method: Method, path: string, body?: object): Promise<Answer<T>> {
    const headers = { cookie, origin: url, ...(body && { 'content-type': 'application/json' }) };
    const given = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const { status, text } = await send(`${url}/api/v1${path}`, given);
    return { status, body: (text && JSON.parse(text)) as T, text };
  }

  async function get<T>(path: string): Promise<T> {
    const { status, body, text } = await ask<T>('GET', `/tag-manager${path}`);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    return body;
  }

  /** What is written is answered as promised; anything else is an error. */
  async function tell<T>(method: Method, path: string, body?: object): Promise<T> {
    const answer = await ask<T>(method, `/tag-manager${path}`, body);
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }

  const view = () => get<ConnectionView>('/connection');

  /** When nothing is under way any more, and nothing follows. */
  async function settled(): Promise<ConnectionView> {
    await expect.poll(async () => (await view()).job, { interval: 15 }).toBeNull();
    return view();
  }

  return {
    ...{ url, cookie, ask, get, tell, view, settled },
    snapshot: async () => (await get<{ latest: SnapshotView | null }>('/snapshot')).latest,
    /** Takes one and returns what is shown when it has come to its end. */
    async takeSnapshot(): Promise<ConnectionView> {
      await tell('POST', '/snapshot');
      return settled();
    },
    changes: (status = 'open') => get<ChangeView[]>(`/changes?limit=1000&status=${status}`),
    change: (id: string) => get<ChangeView>(`/changes/${id}`),
    audit: () => get<AuditEntry[]>('/audit?limit=1000'),
    propose: (...changes: object[]) => tell<ChangeView[]>('POST', '/changes', { changes }),
    /** As the page does with one button for all. */
    accept: (changes: readonly ChangeView[]) =>
      ask('POST', '/tag-manager/changes/accept', { ids: changes.map(({ id }) => id) }),
  };
}

export type Person = ReturnType<typeof personAt>;

interface Sent {
  method: Method;
  headers: Record<string, string>;
  body?: string;
}

async function overPort(url: string, given: Sent) {
  const response = await fetch(url, given);
  return { status: response.status, text: await response.text() };
}

const within = (app: FastifyInstance) => async (url: string, given: Sent) => {
  const { host } = new URL(url);
  const headers = { ...given.headers, host };
  const { statusCode, body } = await app.inject({ ...given, url, headers });
  return { status: statusCode, text: body };
};

interface Appliance extends Pick<TestAppliance, 'url' | 'signInUrl'> {
  app?: FastifyInstance;
}

export async function signIn({ url, signInUrl, app }: Appliance): Promise<Person> {
  const answer = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: new URL(signInUrl()).hash.slice('#token='.length) }),
  });
  const [cookie = ''] = answer.headers.getSetCookie().map((text) => text.split(';')[0] ?? '');
  return personAt(url, cookie, app);
}

/** From the consent screen back to the appliance, as a browser goes; returns what is shown there. */
export async function connect(person: Person, google: Google, how: Consent = {}) {
  const { waiting } = await person.tell<ConnectionView>('POST', '/connection/consent');
  const back = await google.identity.consent(waiting?.authorize_url ?? '', how);
  const page = await fetch(back);
  return { back, shown: (await page.text()) + JSON.stringify([...page.headers]) };
}

export const selectionOf = ({ accountId, containerId, workspaceId }: Place) => ({
  ...{ account_id: accountId, container_id: containerId, workspace_id: workspaceId },
});

interface Given {
  api?: TagManagerApiOptions;
  options?: Partial<StartOptions>;
  amounts?: { tags: number; triggers: number; variables: number };
  consent?: Consent;
  /** What else is in the container before it is chosen. */
  fill?: (api: TagManagerApi, place: Place) => void;
}

async function start({ api, options }: Given, dataDir?: string) {
  const google = await startGoogle(api);
  const appliance = await startAppliance({
    ...google.options,
    ...createHurriedClock(),
    ...(dataDir !== undefined && { dataDir }),
    ...options,
  });
  return { google, appliance };
}

let shared: ReturnType<typeof start> | undefined;
let before: Person | undefined;

/** A tenant whom nothing is known of, of an appliance that tests share; none other is connected. */
async function sharedParts() {
  shared ??= start({}, sharedDir());
  const { google, appliance } = await shared;
  await before?.ask('DELETE', '/tag-manager/connection');
  google.api.calm();
  google.identity.reset();
  const { owner, key } = await freshTenant(appliance);
  const person = (before = personAt(appliance.url, owner.cookie, appliance.app));
  return { google, appliance, person, key };
}

/** With a Google and an appliance of the test's own. */
async function ownParts(given: Given) {
  const { google, appliance } = await start(given);
  onTestFinished(async () => {
    await appliance.close();
    await google[Symbol.asyncDispose]();
  });
  return { google, appliance, person: await signIn(appliance), key: KEY };
}

/** Connected, with a container that is chosen, and a snapshot of it. */
export async function chosenContainer(given: Given = {}) {
  const parts = given.api || given.options ? await ownParts(given) : await sharedParts();
  const { google, appliance, person, key } = parts;
  const { api, identity } = google;
  const accountId = api.account({ name: 'Shop Ltd', users: [ADA] });
  const place = api.container({ accountId, name: 'Small site', publicId: 'GTM-SMALL1' });
  api.fillContainer(place, given.amounts ?? { tags: 6, triggers: 6, variables: 6 });
  given.fill?.(api, place);
  const earlier = api.requests.length;

  await person.tell('PUT', '/connection/client', { client_id: google.clientId });
  await connect(person, google, given.consent);
  await person.tell('PUT', '/selection', selectionOf(place));
  await person.settled();
  return {
    ...{ google, api, identity, appliance, place, key, person, ...person },
    /** What was asked for this container. */
    requests: () => api.requests.slice(earlier),
  };
}

export type World = Awaited<ReturnType<typeof chosenContainer>>;

/** All that a workspace holds, to see whether anything of it was touched. */
export function contentOf(api: TagManagerApi, place: Place): Record<Kind, unknown[]> {
  return Object.fromEntries(kinds.map((kind) => [kind, api.list(place, kind)])) as Record<
    Kind,
    unknown[]
  >;
}

export const isWrite = ({ method }: Recorded): boolean => method !== 'GET';

/**
 * Holds the n-th request of those that are meant, from now on; all before it pass. What comes back
 * lets it go on, and everything behind it.
 */
export async function heldAt(
  api: TagManagerApi,
  n: number,
  isMeant: (request: Recorded) => boolean = () => true,
): Promise<() => void> {
  const since = api.requests.length;
  let gate = api.hold();
  for (;;) {
    await gate.arrived();
    if (api.requests.slice(since).filter(isMeant).length >= n) return gate.release;
    const next = api.hold();
    gate.release();
    gate = next;
  }
}
