import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Logger } from '../platform/log.ts';
import type { Cipher } from '../platform/secrets.ts';
import type { SettingsFile } from '../platform/settings-file.ts';
import type { SessionStore } from '../session/store.ts';
import type { About, Listening } from '../settings/about.ts';
import type { SettingsData } from '../settings/file-schema.ts';
import type { Keys } from '../tenants/keys.ts';
import type { TenantStore } from '../tenants/store.ts';
import { createApi } from './api/client.ts';
import type { Quota } from './api/allowance.ts';
import { createPacer } from './api/pacer.ts';
import type { Wait } from './api/pacer.ts';
import { createChanges } from './changes/changes.ts';
import { createConnection } from './connection/connection.ts';
import { createConsents, redirectUriOf } from './connection/consent.ts';
import { readEndpoints } from './connection/endpoints.ts';
import { createOAuth } from './connection/oauth.ts';
import { createConnectionStore } from './connection/store.ts';
import { createWho } from './connection/who.ts';
import { createJobs } from './jobs.ts';
import { differenceOf } from './snapshot/difference.ts';
import type { Arrived } from './snapshot/events-check.ts';
import { createSnapshotParts } from './snapshot/snapshots.ts';
import { createTemplate } from './template.ts';

export interface TagManagerParts {
  file: SettingsFile<SettingsData>;
  database: Database;
  events: { activities: Arrived; flusher: { flush: () => Promise<unknown> } };
  tenants: TenantStore;
  sessions: SessionStore;
  keys: Keys;
  cipher: Cipher;
  about: About;
  listening: () => Listening;
  clock: Clock;
  log: Logger;
  /** JSON with other addresses than those of Google. */
  endpoints?: string;
  quota?: Quota;
  wait?: Wait;
}

export type TagManager = ReturnType<typeof createTagManager>;

/** The template that is handed out, and the connection to where it is put to use. */
export function createTagManager(parts: TagManagerParts) {
  const { tenants, keys, cipher, about, listening, clock, log, database } = parts;
  const endpoints = readEndpoints(parts.endpoints);
  const pacer = createPacer({
    clock,
    ...(parts.quota && { quota: parts.quota }),
    ...(parts.wait && { wait: parts.wait }),
  });
  const oauth = createOAuth({ endpoints });
  const template = createTemplate({ keys, tenants, about });

  const jobs = createJobs({
    ...{ clock, log },
    pacerOf: (tenantId) => {
      const project = connection.projectOf(tenantId);
      return {
        waitingMs: () => pacer.waitingMs(project),
        secondsFor: (requests) => pacer.secondsFor(project, requests),
      };
    },
  });
  const connection = createConnection({
    ...{ store: createConnectionStore(parts), oauth, consents: createConsents({ clock, oauth }) },
    ...{ clock, cipher, jobs, pacer, perDay: pacer.perDay, log },
    createApi: (given) => createApi({ endpoint: endpoints.api, pacer, log, ...given }),
    audit: (tenantId, entry) => changes.note(tenantId, entry),
    redirectUri: () => redirectUriOf(listening()),
  });
  const addresses = () => reachedAt(about());
  const { snapshots, container, verification } = createSnapshotParts({
    ...{ database, connection, jobs, activities: upToNow(parts.events), clock, log },
    addresses,
    waiting: (tenantId) => changes.undecided(tenantId),
  });
  const changes = createChanges({
    ...{ database, connection, jobs, template, keys, tenants, differenceOf, clock, log, addresses },
    snapshots: {
      newest: (tenantId) => snapshots.newest(tenantId),
      begin: (tenantId) => snapshots.beginWhenIdle(tenantId),
    },
  });

  connection.onChosen(async (tenantId, who) => {
    await changes.tidy(tenantId, who);
    const begun = snapshots.beginWhenIdle(tenantId);
    // What has begun in this very moment is not waited for.
    if (jobs.current(tenantId) === null) await begun;
  });
  connection.onDisconnected(async (tenantId) => {
    await snapshots.forget(tenantId);
    await changes.forget(tenantId, 'The tag manager was disconnected.');
  });

  return {
    ...{ template, connection, snapshots, container, verification, changes, jobs },
    whoIs: createWho(parts),
    /** Goes on with what the last run could not finish. */
    async start(): Promise<void> {
      try {
        await connection.tidy();
        await changes.start();
      } catch (error) {
        log.error({ err: error }, 'What was left of the tag manager could not be taken up');
      }
    },
    async close(): Promise<void> {
      await Promise.all([jobs.close(), connection.close()]);
    },
  };
}

/** What was accepted a moment ago counts too. */
const upToNow = ({ activities, flusher }: TagManagerParts['events']): Arrived => ({
  async arrivals(...asked) {
    await flusher.flush();
    return activities.arrivals(...asked);
  },
});

/** Wherever the template may send to and still reach this appliance. */
function reachedAt({ public_url, addresses, url }: ReturnType<About>): string[] {
  return [...(public_url === null ? [] : [public_url]), ...addresses, url];
}
