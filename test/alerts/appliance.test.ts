import { describe, expect, it } from 'vitest';
import type { Alert } from '../../server/alerts/schema.ts';
import { createAlertStore } from '../../server/alerts/store.ts';
import { migrations } from '../../server/appliance.ts';
import { openDatabase } from '../../server/platform/database.ts';
import { noFaults as faults } from '../../server/platform/faults.ts';
import { silentLog as log } from '../../server/platform/log.ts';
import { anAlert, at, uuid } from '../helpers/alerts.ts';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import type { TestAppliance } from '../helpers/appliance.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const DAY = 86_400_000;
const MADE = Date.UTC(2026, 0, 1);

interface Operation {
  tags: string[];
  summary: string;
  security: unknown[];
  parameters?: { name: string }[];
  requestBody?: { content: Record<string, { examples: object; schema: { properties: object } }> };
  responses: Record<string, unknown>;
}

/** An appliance that made these alerts when it ran before. */
async function applianceWith(alerts: readonly Alert[], clock: { now(): number }) {
  const dataDir = tempDir();
  const before = await startAppliance({ dataDir, clock });
  const { id: tenantId } = (await before.get('/tenants/me')).json<{ id: string }>();
  await before.close();
  const database = await openDatabase({ dir: dataDir, migrations, clock, faults, log });
  const given = alerts.map((alert) => ({ tenantId, alert, pushed: false }));
  await database.write((sql) => createAlertStore(database).insert(sql, given));
  await database.close();
  return startAppliance({ dataDir, clock });
}

const post = (vedette: TestAppliance, path: string, payload?: string) =>
  vedette.app.inject({
    method: 'POST',
    url: `/api/v1/alerts${path}`,
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    ...(payload !== undefined && { payload }),
  });

describe('alerts of an appliance', () => {
  it('answer with and without a slash at the end, and take a body that is left out', async () => {
    const alert = anAlert({ created_at: at(MADE) });
    await using vedette = await applianceWith([alert], { now: () => MADE });
    for (const path of ['', '/grouped', '/activity', `/${alert.id}`]) {
      const plain = await vedette.get(`/alerts${path}`);
      expect(plain.statusCode, path).toBe(200);
      expect((await vedette.get(`/alerts${path}/`)).body).toBe(plain.body);
      expect(plain.headers['content-type']).toBe('application/json; charset=utf-8');
    }
    for (const verb of ['acknowledge', 'resolve', 'reopen']) {
      for (const slash of ['', '/']) {
        expect((await post(vedette, `/${alert.id}/${verb}${slash}`)).statusCode).toBe(200);
        const all = await post(vedette, `/${verb}${slash}`, '{"filter": {}}');
        expect(all.json(), verb).toEqual({ changed: 0, ids: [] });
      }
      expect((await post(vedette, `/${verb}`)).statusCode).toBe(422);
      expect((await post(vedette, `/${verb}`, '{')).statusCode).toBe(400);
      expect((await post(vedette, `/${uuid(999_999)}/${verb}`)).statusCode).toBe(404);
    }
  });

  it('are kept as long as the counts, to the millisecond', async () => {
    let now = MADE;
    const alerts = [anAlert({ created_at: at(MADE) }), anAlert({ created_at: at(MADE + 1) })];
    await using vedette = await applianceWith(alerts, { now: () => now });
    const shown = async () => (await vedette.get('/alerts')).json<Alert[]>().length;
    now = MADE + 400 * DAY;
    await vedette.runRetention();
    expect(await shown()).toBe(2);
    now += 1;
    await vedette.runRetention();
    expect(await shown()).toBe(1);
  });

  it('are described in the OpenAPI document, with examples of what to send', async () => {
    await using vedette = await startAppliance();
    const { paths } = (await vedette.get('/openapi.json')).json<{
      paths: Record<string, Record<string, Operation>>;
    }>();
    const all = Object.entries(paths)
      .filter(([path]) => path.startsWith('/api/v1/alerts'))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, one]) => [`${method} ${path}`, one] as const),
      );
    expect(all.map(([name]) => name).sort()).toEqual([
      'delete /api/v1/alerts/{alert_id}',
      'get /api/v1/alerts',
      'get /api/v1/alerts/activity',
      'get /api/v1/alerts/grouped',
      'get /api/v1/alerts/summary',
      'get /api/v1/alerts/{alert_id}',
      'post /api/v1/alerts/acknowledge',
      'post /api/v1/alerts/reopen',
      'post /api/v1/alerts/resolve',
      'post /api/v1/alerts/{alert_id}/acknowledge',
      'post /api/v1/alerts/{alert_id}/reopen',
      'post /api/v1/alerts/{alert_id}/resolve',
    ]);
    for (const [name, operation] of all) {
      expect(operation, name).toMatchObject({ tags: ['Alerts'], security: { length: 2 } });
      expect(operation.summary, name).toBeTruthy();
      expect(Object.keys(operation.responses), name).toContain('403');
    }
    const body = Object.fromEntries(all)['post /api/v1/alerts/resolve']?.requestBody;
    expect(body?.content['application/json']).toMatchObject({
      examples: { example: { value: { filter: { status: 'open' } } } },
      schema: { properties: { filter: {}, note: {} } },
    });
  });
});
