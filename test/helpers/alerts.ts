import cookie from '@fastify/cookie';
import Fastify from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { createAlerts } from '../../server/alerts/alerts.ts';
import type { AlertMessage } from '../../server/webhooks/outbox.ts';
import { alertRoutes } from '../../server/alerts/routes.ts';
import type { Alert } from '../../server/alerts/schema.ts';
import { alertTables } from '../../server/alerts/tables.ts';
import { answerErrors } from '../../server/http/errors.ts';
import { validatorCompiler } from '../../server/http/validation.ts';
import { openDatabase } from '../../server/platform/database.ts';
import { noFaults as faults } from '../../server/platform/faults.ts';
import { silentLog as log } from '../../server/platform/log.ts';
import { identityParts, START } from './identity-parts.ts';
import { sharedDir } from './temp-dir.ts';

export const ALERTS = '/api/v1/alerts';
export const OTHER_TENANT = '3d2c1b0a-0000-4000-8000-000000000000';

/** A UUID that a person can tell from others. */
export const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
export const at = (time: number) => new Date(time).toISOString();

let made = 0;

/** An open alert made now, with an id higher than those before it. */
export function anAlert(given: Partial<Alert> = {}): Alert {
  return {
    id: uuid(++made),
    rule_id: uuid(1),
    severity: 'warning',
    message: 'Threshold exceeded: 3 < 10 in 60 min window',
    is_resolved: false,
    is_acknowledged: false,
    created_at: at(START),
    rule_name: 'Too few purchases',
    rule_type: 'threshold',
    event_type: 'purchase',
    source: null,
    tags: [],
    category: null,
    value: 3,
    missing_fields: [],
    window_minutes: 60,
    acknowledged_at: null,
    acknowledge_note: null,
    resolved_at: null,
    resolve_note: null,
    ...given,
  };
}

export const acknowledged = { is_acknowledged: true, acknowledged_at: at(START) };
export const resolved = { is_resolved: true, resolved_at: at(START) };

/** An outbox that keeps what it is given, and may be told to fail. */
function recordingOutbox() {
  const begun = () => ({
    messages: [] as AlertMessage[],
    times: [] as number[],
    wakes: 0,
    wanted: ['critical', 'warning', 'info'],
    failing: false,
  });
  const outbox = {
    ...begun(),
    begin: () => Object.assign(outbox, begun()),
    wants: (_tenant: string, severity: string) =>
      outbox.wanted.includes(severity) ? { id: 'a webhook', repeatAfterMinutes: 240 } : undefined,
    async add(_sql: unknown, messages: readonly AlertMessage[], now: number) {
      if (outbox.failing) throw new Error('The outbox is full');
      outbox.messages.push(...messages);
      outbox.times.push(now);
    },
    wake: () => {
      outbox.wakes++;
    },
  };
  return outbox;
}

/** The routes over a database that the tests of a worker share, each with a tenant of its own. */
async function openAlerts() {
  const dir = sharedDir();
  const parts = await identityParts({ dir });
  const { clock, identity } = parts;
  const outbox = recordingOutbox();
  const database = await openDatabase({ dir, migrations: alertTables, clock, faults, log });
  const alerts = createAlerts({ database, outbox });
  const app = Fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  answerErrors(app);
  await app.register(cookie);
  await app.register(alertRoutes({ ...alerts, identity, clock }));
  return { ...parts, ...alerts, app, outbox, database };
}

let opened: ReturnType<typeof openAlerts> | undefined;

/** The alerts of a tenant that has none yet, with their routes, and a clock that stands at START. */
export async function alertsApp() {
  const shared = await (opened ??= openAlerts());
  const { app, clock, database, keys, outbox, store, tenants } = shared;
  clock.time = START;
  outbox.begin();
  const kept = { retention_days: 90, rollup_retention_days: 400, max_names: 2000 };
  const { id: tenantId } = await tenants.create({ name: 'A tenant', ...kept }, START);
  const issued = (scope: 'full' | 'read') =>
    keys.issue(tenantId, { name: scope, scope, allowed_domains: [] }, START);
  const { secret: own } = await issued('full');

  /** Asks as a program with a key. */
  const byKey = (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object, key = own) =>
    app.inject({ method, url, headers: { 'x-api-key': key }, ...(body && { body }) });

  async function insert(given: readonly Alert[], tenant = tenantId, pushed = true) {
    await database.write((sql) =>
      store.insert(
        sql,
        given.map((alert) => ({ tenantId: tenant, alert, pushed })),
      ),
    );
  }

  return {
    ...{ byKey, clock, insert, outbox, store, tenantId },
    readKey: async () => (await issued('read')).secret,
    /** Inserts one alert for each of these. */
    given: async (...alerts: Partial<Alert>[]) => {
      const all = alerts.map(anAlert);
      await insert(all);
      return all;
    },
    get: async <T>(path = '') => (await byKey('GET', `${ALERTS}${path}`)).json<T>(),
    post: async <T>(path: string, body?: object) =>
      (await byKey('POST', `${ALERTS}${path}`, body)).json<T>(),
  };
}

export type AlertsApp = Awaited<ReturnType<typeof alertsApp>>;
