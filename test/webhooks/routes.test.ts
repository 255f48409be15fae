import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import type { StartOptions } from '../../server/appliance.ts';
import type { Delivery, DeliveryWithPayload, WebhookPatch } from '../../server/webhooks/schema.ts';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import { monitoredTenant } from '../helpers/monitored.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { freshTenant, signIn } from '../helpers/tenant.ts';
import type { TestTenant } from '../helpers/tenant.ts';
import { setWebhook } from '../helpers/webhook.ts';
import { openReceiver, verified } from './receiver.ts';

const UNKNOWN = 'msg_AAAAAAAAAAAAAAAAAAAAAAAA';

interface Asked {
  owner: Pick<TestTenant['owner'], 'ask'>;
  call: (method: 'GET' | 'POST', path: string) => ReturnType<TestTenant['call']>;
}

const setUp = ({ owner }: Asked, webhook: WebhookPatch) => setWebhook(owner, webhook);

const tested = async ({ call }: Asked) => (await call('POST', '/webhooks/test')).json<Delivery>();

/** An appliance of its own, to be asked as a tenant is. */
async function ownAppliance(options: Partial<StartOptions>) {
  const appliance = await startAppliance(options);
  const call = (method: 'GET' | 'POST', path: string) =>
    appliance.app.inject({ method, url: `/api/v1${path}`, headers: { 'x-api-key': KEY } });
  return { ...appliance, call, owner: await signIn(appliance) };
}

describe('a test message', () => {
  it('is sent at once, and the answer says how it went', async () => {
    const tenant = await freshTenant();
    const receiver = await openReceiver();
    const secret = await setUp(tenant, { url: receiver.url });
    const answer = await tenant.call('POST', '/webhooks/test');
    expect(answer.statusCode).toBe(200);
    const sent = answer.json<Delivery>();
    expect(sent).toMatchObject({ type: 'test', status: 'delivered', attempts: 1, alert_id: null });
    const [request] = receiver.received;
    expect(verified(request as never, secret)).toMatchObject({
      type: 'test',
      data: { message: 'This is a test from Vedette', tenant: { id: tenant.id, name: 'Other' } },
    });
    expect(request?.headers['webhook-id']).toBe(sent.id);
    expect(receiver.received).toHaveLength(1);
  });

  it('is tried once, however it went', async () => {
    await using vedette = await monitoredTenant();
    const receiver = await openReceiver(500);
    await setUp(vedette, { url: receiver.url });
    const answer = await vedette.call('POST', '/webhooks/test');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      ...{ status: 'failed', attempts: 1, last_status: 500, last_error: 'answered 500' },
      next_attempt_at: null,
    });
    vedette.clock.time += 3_600_000;
    await vedette.deliverDue();
    expect(receiver.received).toHaveLength(1);
  });

  it('needs a webhook that is switched on', async () => {
    const tenant = await freshTenant();
    const test = () => tenant.call('POST', '/webhooks/test');
    expect((await test()).statusCode).toBe(409);
    await setUp(tenant, { url: 'http://127.0.0.1:9/', enabled: false });
    const refused = await test();
    expect(refused.statusCode).toBe(409);
    expect(refused.json<{ detail: string }>().detail).toContain('no webhook that is switched on');
  });
});

describe('deliveries', () => {
  it('are listed newest first, by status and alert, and shown one by one', async () => {
    await using vedette = await monitoredTenant();
    const receiver = await openReceiver();
    await setUp(vedette, { url: receiver.url });
    const list = async (query = '') =>
      (await vedette.call('GET', `/webhooks/deliveries${query}`)).json<Delivery[]>();
    expect(await list()).toEqual([]);
    const made: Delivery[] = [];
    for (const status of [204, 500, 204]) {
      receiver.answers(status);
      vedette.clock.time += 1000;
      made.unshift(await tested(vedette));
    }
    expect(await list()).toEqual(made);
    expect(await list('?limit=1&skip=1')).toEqual([made[1]]);
    expect(await list('?status=failed')).toEqual([made[1]]);
    expect(await list('?status=pending')).toEqual([]);
    expect(await list('?alert_id=4f9d7f5e-6f3f-4b8e-9a53-0d4f4a0f9a11')).toEqual([]);
    const one = await vedette.call('GET', `/webhooks/deliveries/${made[0]?.id}`);
    expect(one.json<DeliveryWithPayload>()).toMatchObject({
      ...made[0],
      payload: { type: 'test', data: { message: 'This is a test from Vedette' } },
    });
  });

  it('are not listed for what there is not', async () => {
    const { get } = await freshTenant();
    const queries = ['limit=0', 'limit=1001', 'skip=-1', 'status=lost', 'alert_id=7', 'colour=red'];
    for (const query of queries) {
      expect((await get(`/webhooks/deliveries?${query}`)).statusCode, query).toBe(400);
    }
  });

  it('that do not exist are 404, and 400 when nothing is named like that', async () => {
    const tenant = await freshTenant();
    await setUp(tenant, { url: 'http://127.0.0.1:9/' });
    for (const [id, status] of [
      ['msg_1', 400],
      ['4f9d7f5e-6f3f-4b8e-9a53-0d4f4a0f9a11', 400],
      [UNKNOWN, 404],
    ] as const) {
      const shown = await tenant.call('GET', `/webhooks/deliveries/${id}`);
      const sent = await tenant.call('POST', `/webhooks/deliveries/${id}/resend`);
      expect([shown.statusCode, sent.statusCode], id).toEqual([status, status]);
    }
  });

  it('are looked at with a read key and sent with a full one; an ingest key does neither', async () => {
    const { app, call, key } = await freshTenant();
    const codes = async (by: string) => {
      const requests = [
        ['GET', '/deliveries'],
        ['GET', `/deliveries/${UNKNOWN}`],
        ['POST', `/deliveries/${UNKNOWN}/resend`],
        ['POST', '/test'],
        ['GET', '/secret'],
      ] as const;
      const found: number[] = [];
      for (const [method, path] of requests) {
        const headers = { 'x-api-key': by };
        const answer = await app.inject({ method, url: `/api/v1/webhooks${path}`, headers });
        found.push(answer.statusCode);
      }
      return found;
    };
    const keyFor = async (scope: string) =>
      (await call('POST', '/keys', { name: scope, scope })).json<{ secret: string }>().secret;
    expect(await codes(await keyFor('read'))).toEqual([200, 404, 403, 403, 403]);
    expect(await codes(await keyFor('ingest'))).toEqual([403, 403, 403, 403, 403]);
    expect(await codes(key)).toEqual([200, 404, 404, 409, 403]);
  });

  it('are sent again under the same id, and their attempts go on counting', async () => {
    const tenant = await freshTenant();
    const receiver = await openReceiver();
    const secret = await setUp(tenant, { url: receiver.url });
    const { id } = await tested(tenant);
    const resend = () => tenant.call('POST', `/webhooks/deliveries/${id}/resend`);
    const again = await resend();
    expect(again.statusCode).toBe(200);
    expect(again.json()).toMatchObject({ id, status: 'pending', attempts: 1, finished_at: null });
    await tenant.appliance.deliverDue();
    const after = await tenant.get(`/webhooks/deliveries/${id}`);
    expect(after.json()).toMatchObject({ status: 'delivered', attempts: 2 });
    const [first, second] = receiver.received;
    verified(second as never, secret);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);

    await setUp(tenant, { enabled: false });
    expect((await resend()).statusCode).toBe(409);
  });

  it('of another tenant do not exist', async () => {
    const [tenant, other] = [await freshTenant(), await freshTenant()];
    const receiver = await openReceiver();
    await setUp(tenant, { url: receiver.url });
    const { id } = await tested(tenant);
    expect((await tenant.owner.ask('GET', `/webhooks/deliveries/${id}`)).statusCode).toBe(200);
    expect((await other.get('/webhooks/deliveries')).json()).toEqual([]);
    expect((await other.get(`/webhooks/deliveries/${id}`)).statusCode).toBe(404);
    const resent = await other.call('POST', `/webhooks/deliveries/${id}/resend`);
    expect(resent.statusCode).toBe(404);
  });
});

it('shows the secret again in a session, and to no key', async () => {
  const tenant = await freshTenant();
  const ask = () =>
    tenant.app.inject({ url: '/api/v1/webhooks/secret', headers: tenant.owner.headers });
  expect((await ask()).statusCode).toBe(404);
  const secret = await setUp(tenant, { url: 'http://127.0.0.1:9/' });
  const answer = await ask();
  expect(answer.json()).toEqual({ secret });
  expect(answer.headers['cache-control']).toBe('no-store');
  expect((await tenant.get('/webhooks/secret')).statusCode).toBe(403);
});

it('sends what was waiting when it was not running, and says how much waits', async () => {
  const dataDir = tempDir();
  const receiver = await openReceiver();
  let id: string;
  {
    await using vedette = await ownAppliance({ dataDir });
    await setUp(vedette, { url: receiver.url });
    ({ id } = await tested(vedette));
    receiver.answers('hang');
    await vedette.call('POST', `/webhooks/deliveries/${id}/resend`);
    await receiver.arrived(2);
  }
  receiver.answers(204);

  await using vedette = await ownAppliance({ dataDir });
  await receiver.arrived(3);
  await vedette.deliverDue();
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id, id]);
  const after = await vedette.call('GET', `/webhooks/deliveries/${id}`);
  expect(after.json()).toMatchObject({ status: 'delivered', attempts: 2 });
  const { headers } = await signIn(vedette);
  const metrics = await vedette.app.inject({ url: '/metrics', headers });
  expect(metrics.body).toMatch(/^vedette_webhook_deliveries_pending 0$/m);
});

it('writes nothing secret into the log, the settings, the list or the database', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const dataDir = tempDir();
  const receiver = await openReceiver(500);
  const header = 'Bearer very-secret-value';
  let list: string;
  {
    await using vedette = await ownAppliance({ dataDir, log });
    const headers = { Authorization: header };
    const secret = await setUp(vedette, { url: receiver.url, headers });
    await vedette.call('POST', '/webhooks/test');
    await receiver.close();
    await vedette.call('POST', '/webhooks/test');
    receiver.answers(410);
    list = (await vedette.call('GET', '/webhooks/deliveries')).body;
    const files = readdirSync(dataDir).filter((name) => /^settings|duckdb/.test(name));
    expect(files.length).toBeGreaterThan(1);
    const places = { log: lines.join(''), list };
    const onDisk = files.map((name) => [name, readFileSync(join(dataDir, name), 'latin1')]);
    for (const [place, text] of [...Object.entries(places), ...onDisk]) {
      for (const word of ['secret-path', receiver.url, secret, secret.slice(6), header]) {
        expect(text?.includes(word), `${word} in ${place}`).toBe(false);
      }
    }
  }
  expect(lines.join('')).toContain('A webhook delivery failed');
  expect(list).toContain('connection refused');
});

it('closes within moments while a receiver hangs', async () => {
  const receiver = await openReceiver('hang');
  const vedette = await ownAppliance({});
  await setUp(vedette, { url: receiver.url });
  const url = `${vedette.url}/api/v1/webhooks/test`;
  const answer = fetch(url, { method: 'POST', headers: { 'x-api-key': KEY } });
  await receiver.arrived(1);
  const begun = performance.now();
  await vedette.close();
  expect(performance.now() - begun).toBeLessThan(2000);
  expect((await answer).status).toBeLessThan(600);
});
