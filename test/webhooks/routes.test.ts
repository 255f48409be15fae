import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import type { Delivery, DeliveryWithPayload } from '../../server/webhooks/schema.ts';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import type { TestAppliance } from '../helpers/appliance.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openReceiver, verified } from './receiver.ts';

type Method = 'GET' | 'POST' | 'PATCH';

const UNKNOWN = 'msg_AAAAAAAAAAAAAAAAAAAAAAAA';

function asking(vedette: TestAppliance, key = KEY) {
  return (method: Method, path: string, body?: object) =>
    vedette.app.inject({
      ...{ method, url: `/api/v1${path}`, headers: { 'x-api-key': key } },
      ...(body && { body }),
    });
}

/** Sets the webhook and returns its secret. */
async function setUp(vedette: TestAppliance, webhook: object): Promise<string> {
  const answer = await asking(vedette)('PATCH', '/tenants/me', { webhook });
  expect(answer.statusCode).toBe(200);
  return answer.json<{ webhook: { secret: string } }>().webhook.secret;
}

async function keyFor(vedette: TestAppliance, scope: string): Promise<string> {
  const answer = await asking(vedette)('POST', '/keys', { name: scope, scope });
  return answer.json<{ secret: string }>().secret;
}

/** Asks as a browser that has come in by the link. */
async function browser(vedette: TestAppliance) {
  const headers = { host: 'localhost:8737', origin: 'http://localhost:8737' };
  const token = vedette.signInUrl().split('token=')[1];
  const signedIn = await vedette.app.inject({
    ...{ method: 'POST', url: '/api/v1/session', headers, body: { token } },
  });
  const cookies = { vedette_session: signedIn.cookies[0]?.value ?? '' };
  return (method: Method, path: string) =>
    vedette.app.inject({ method, url: `/api/v1${path}`, headers, cookies });
}

describe('a test message', () => {
  it('is sent at once, and the answer says how it went', async () => {
    await using vedette = await startAppliance();
    const receiver = await openReceiver();
    const secret = await setUp(vedette, { url: receiver.url });
    const answer = await asking(vedette)('POST', '/webhooks/test');
    expect(answer.statusCode).toBe(200);
    const sent = answer.json<Delivery>();
    expect(sent).toMatchObject({ type: 'test', status: 'delivered', attempts: 1, alert_id: null });
    const [request] = receiver.received;
    expect(verified(request as never, secret)).toMatchObject({
      type: 'test',
      data: { message: 'This is a test from Vedette', tenant: { name: 'Default' } },
    });
    expect(request?.headers['webhook-id']).toBe(sent.id);
    expect(receiver.received).toHaveLength(1);
  });

  it('is tried once, however it went', async () => {
    const clock = { time: Date.now(), now: () => clock.time };
    await using vedette = await startAppliance({ clock });
    const receiver = await openReceiver(500);
    await setUp(vedette, { url: receiver.url });
    const answer = await asking(vedette)('POST', '/webhooks/test');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      ...{ status: 'failed', attempts: 1, last_status: 500, last_error: 'answered 500' },
      next_attempt_at: null,
    });
    clock.time += 3_600_000;
    await vedette.deliverDue();
    expect(receiver.received).toHaveLength(1);
  });

  it('needs a webhook that is switched on', async () => {
    await using vedette = await startAppliance();
    const test = () => asking(vedette)('POST', '/webhooks/test');
    expect((await test()).statusCode).toBe(409);
    await setUp(vedette, { url: 'http://127.0.0.1:9/', enabled: false });
    const refused = await test();
    expect(refused.statusCode).toBe(409);
    expect(refused.json<{ detail: string }>().detail).toContain('no webhook that is switched on');
  });
});

describe('deliveries', () => {
  it('are listed newest first, by status and alert, and shown one by one', async () => {
    const clock = { time: Date.now(), now: () => clock.time };
    await using vedette = await startAppliance({ clock });
    const receiver = await openReceiver();
    await setUp(vedette, { url: receiver.url });
    const ask = asking(vedette, await keyFor(vedette, 'read'));
    const list = async (query = '') =>
      (await ask('GET', `/webhooks/deliveries${query}`)).json<Delivery[]>();
    expect(await list()).toEqual([]);
    const made: Delivery[] = [];
    for (const status of [204, 500, 204]) {
      receiver.answers(status);
      clock.time += 1000;
      made.unshift((await asking(vedette)('POST', '/webhooks/test')).json<Delivery>());
    }
    expect(await list()).toEqual(made);
    expect(await list('?limit=1&skip=1')).toEqual([made[1]]);
    expect(await list('?status=failed')).toEqual([made[1]]);
    expect(await list('?status=pending')).toEqual([]);
    expect(await list('?alert_id=4f9d7f5e-6f3f-4b8e-9a53-0d4f4a0f9a11')).toEqual([]);
    const one = await ask('GET', `/webhooks/deliveries/${made[0]?.id}`);
    expect(one.json<DeliveryWithPayload>()).toMatchObject({
      ...made[0],
      payload: { type: 'test', data: { message: 'This is a test from Vedette' } },
    });
  });

  it.each(['?limit=0', '?limit=1001', '?skip=-1', '?status=lost', '?alert_id=7', '?colour=red'])(
    'are not listed for %s',
    async (query) => {
      await using vedette = await startAppliance();
      const answer = await asking(vedette)('GET', `/webhooks/deliveries${query}`);
      expect(answer.statusCode).toBe(400);
    },
  );

  it('that do not exist are 404, and 400 when nothing is named like that', async () => {
    await using vedette = await startAppliance();
    await setUp(vedette, { url: 'http://127.0.0.1:9/' });
    const ask = asking(vedette);
    for (const id of ['msg_1', '4f9d7f5e-6f3f-4b8e-9a53-0d4f4a0f9a11']) {
      expect((await ask('GET', `/webhooks/deliveries/${id}`)).statusCode).toBe(400);
      expect((await ask('POST', `/webhooks/deliveries/${id}/resend`)).statusCode).toBe(400);
    }
    expect((await ask('GET', `/webhooks/deliveries/${UNKNOWN}`)).statusCode).toBe(404);
    expect((await ask('POST', `/webhooks/deliveries/${UNKNOWN}/resend`)).statusCode).toBe(404);
  });

  it('are looked at with a read key and sent with a full one; an ingest key does neither', async () => {
    await using vedette = await startAppliance();
    const [read, ingest] = [await keyFor(vedette, 'read'), await keyFor(vedette, 'ingest')];
    const codes = async (key: string) => {
      const ask = asking(vedette, key);
      const answers = [
        await ask('GET', '/webhooks/deliveries'),
        await ask('GET', `/webhooks/deliveries/${UNKNOWN}`),
        await ask('POST', `/webhooks/deliveries/${UNKNOWN}/resend`),
        await ask('POST', '/webhooks/test'),
        await ask('GET', '/webhooks/secret'),
      ];
      return answers.map(({ statusCode }) => statusCode);
    };
    expect(await codes(read)).toEqual([200, 404, 403, 403, 403]);
    expect(await codes(ingest)).toEqual([403, 403, 403, 403, 403]);
    expect(await codes(KEY)).toEqual([200, 404, 404, 409, 403]);
  });

  it('are sent again under the same id, and their attempts go on counting', async () => {
    await using vedette = await startAppliance();
    const receiver = await openReceiver();
    const secret = await setUp(vedette, { url: receiver.url });
    const ask = asking(vedette);
    const { id } = (await ask('POST', '/webhooks/test')).json<Delivery>();
    const again = await ask('POST', `/webhooks/deliveries/${id}/resend`);
    expect(again.statusCode).toBe(200);
    expect(again.json()).toMatchObject({ id, status: 'pending', attempts: 1, finished_at: null });
    await vedette.deliverDue();
    const after = await ask('GET', `/webhooks/deliveries/${id}`);
    expect(after.json()).toMatchObject({ status: 'delivered', attempts: 2 });
    const [first, second] = receiver.received;
    verified(second as never, secret);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);

    await setUp(vedette, { enabled: false });
    expect((await ask('POST', `/webhooks/deliveries/${id}/resend`)).statusCode).toBe(409);
  });

  it('of another tenant do not exist', async () => {
    await using vedette = await startAppliance();
    const receiver = await openReceiver();
    await setUp(vedette, { url: receiver.url });
    const { id } = (await asking(vedette)('POST', '/webhooks/test')).json<Delivery>();
    const session = await browser(vedette);
    const headers = { host: 'localhost:8737', origin: 'http://localhost:8737' };
    expect((await session('GET', `/webhooks/deliveries/${id}`)).statusCode).toBe(200);
    const signIn = await vedette.app.inject({
      ...{ method: 'POST', url: '/api/v1/session', headers },
      body: { token: vedette.signInUrl().split('token=')[1] },
    });
    const cookies = { vedette_session: signIn.cookies[0]?.value ?? '' };
    const inject = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
      vedette.app.inject({
        ...{ method, url: `/api/v1${path}`, headers, cookies },
        ...(body && { body }),
      });
    const other = (await inject('POST', '/tenants', { name: 'Other' })).json<{ id: string }>();
    const moved = await inject('PATCH', '/session', { tenant_id: other.id });
    expect(moved.statusCode).toBe(200);
    expect((await inject('GET', '/webhooks/deliveries')).json()).toEqual([]);
    expect((await inject('GET', `/webhooks/deliveries/${id}`)).statusCode).toBe(404);
    expect((await inject('POST', `/webhooks/deliveries/${id}/resend`)).statusCode).toBe(404);
  });
});

it('shows the secret again in a session, and to no key', async () => {
  await using vedette = await startAppliance();
  const ask = await browser(vedette);
  expect((await ask('GET', '/webhooks/secret')).statusCode).toBe(404);
  const secret = await setUp(vedette, { url: 'http://127.0.0.1:9/' });
  const answer = await ask('GET', '/webhooks/secret');
  expect(answer.json()).toEqual({ secret });
  expect(answer.headers['cache-control']).toBe('no-store');
  expect((await asking(vedette)('GET', '/webhooks/secret')).statusCode).toBe(403);
});

it('sends what was waiting when it was not running, and says how much waits', async () => {
  const dataDir = tempDir();
  const receiver = await openReceiver();
  let id: string;
  {
    await using vedette = await startAppliance({ dataDir });
    await setUp(vedette, { url: receiver.url });
    ({ id } = (await asking(vedette)('POST', '/webhooks/test')).json<Delivery>());
    receiver.answers('hang');
    await asking(vedette)('POST', `/webhooks/deliveries/${id}/resend`);
    await receiver.arrived(2);
  }
  receiver.answers(204);

  await using vedette = await startAppliance({ dataDir });
  await receiver.arrived(3);
  await vedette.deliverDue();
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id, id]);
  const after = await asking(vedette)('GET', `/webhooks/deliveries/${id}`);
  expect(after.json()).toMatchObject({ status: 'delivered', attempts: 2 });
  const metrics = await vedette.app.inject({ url: '/metrics', headers: { 'x-api-key': KEY } });
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
    await using vedette = await startAppliance({ dataDir, log });
    const headers = { Authorization: header };
    const secret = await setUp(vedette, { url: receiver.url, headers });
    const ask = asking(vedette);
    await ask('POST', '/webhooks/test');
    await receiver.close();
    await ask('POST', '/webhooks/test');
    receiver.answers(410);
    list = (await ask('GET', '/webhooks/deliveries')).body;
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
  const vedette = await startAppliance();
  await setUp(vedette, { url: receiver.url });
  const url = `${vedette.url}/api/v1/webhooks/test`;
  const answer = fetch(url, { method: 'POST', headers: { 'x-api-key': KEY } });
  await receiver.arrived(1);
  const begun = performance.now();
  await vedette.close();
  expect(performance.now() - begun).toBeLessThan(2000);
  expect((await answer).status).toBeLessThan(600);
});
