import { describe, expect, it } from 'vitest';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import { freshTenant } from '../helpers/tenant.ts';

const PAGE = '/tag-manager/template';
const FILE = '/tag-manager/template.tpl';

interface Known {
  url: string;
  key: { id: string; name: string; scope: string } | null;
}

describe('the template’s routes', () => {
  it('hand the file out for the public URL, in the code, the permission and the words', async () => {
    await using appliance = await startAppliance({ publicUrl: 'https://events.shop.example' });
    const answer = await appliance.get(FILE);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename="vedette.tpl"',
      'cache-control': 'no-store',
    });
    expect(answer.body).toContain(
      "const COLLECT_URL = 'https://events.shop.example/api/v1/events/collect';",
    );
    expect(answer.body).toContain('"string": "https://events.shop.example/api/v1/events/collect*"');
    expect(answer.body).not.toContain('vedette.example');
  });

  it('take another address of this appliance, and nothing that is none', async () => {
    const tenant = await freshTenant();
    for (const [url, words] of [
      ['https://shop.example/', 'must not end with a slash: write https://shop.example'],
      ['https://shop.example/events', 'must not have a path'],
      ['https://shop .example', 'must not have spaces'],
      ['ftp://shop.example', 'must be an address like'],
      ["https://shop.example'+alert(1)+'", 'must be an address like'],
      ['', 'must be an address like'],
    ] as const) {
      const refused = await tenant.get(`${FILE}?url=${encodeURIComponent(url)}`);
      expect(refused.statusCode, url).toBe(400);
      expect(refused.json<{ detail: string }>().detail, url).toContain(words);
    }
    expect((await tenant.get(PAGE)).json()).toMatchObject({ key: null });
    const other = encodeURIComponent('http://192.168.1.20:8737');
    const answer = await tenant.get(`${FILE}?url=${other}`);
    expect(answer.body).toContain("'http://192.168.1.20:8737/api/v1/events/collect'");
  });

  it('name the address that reaches furthest when there is no public one', async () => {
    const tenant = await freshTenant();
    const { url } = (await tenant.get(PAGE)).json<Known>();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await tenant.get(FILE)).body).toContain(`'${url}/api/v1/events/collect'`);
  });

  it('make one key, which may only send, when it is first asked for', async () => {
    const tenant = await freshTenant();
    const known = async () => (await tenant.get(PAGE)).json<Known>();
    const make = () => tenant.call('POST', PAGE);
    expect((await known()).key).toBeNull();
    await Promise.all([make(), make(), make()]);
    const { key } = await known();
    expect(key).toMatchObject({ name: 'Tag manager', scope: 'ingest' });
    expect((await make()).json()).toEqual(await known());
    expect((await known()).key).toEqual(key);
    const all = (await tenant.get('/keys')).json<{ name: string }[]>();
    expect(all.filter(({ name }) => name === 'Tag manager')).toHaveLength(1);
  });

  it('go on with its successor when the key is rotated, and make another when it is revoked', async () => {
    const tenant = await freshTenant();
    const known = async () => (await tenant.get(PAGE)).json<Known>();
    await tenant.call('POST', PAGE);
    const first = (await known()).key;
    const next = (await tenant.call('POST', `/keys/${first?.id}/rotate`)).json<{ id: string }>();
    expect((await known()).key?.id).toBe(next.id);
    await tenant.call('DELETE', `/keys/${next.id}`);
    expect((await known()).key).toBeNull();
    await tenant.call('POST', PAGE);
    expect((await known()).key?.id).not.toBe(first?.id);
  });

  it('answer full keys alone', async () => {
    const tenant = await freshTenant();
    for (const scope of ['read', 'ingest']) {
      const made = await tenant.call('POST', '/keys', { name: scope, scope });
      const { secret } = made.json<{ secret: string }>();
      for (const path of [PAGE, FILE]) {
        expect((await tenant.get(path, { 'x-api-key': secret })).statusCode).toBe(403);
      }
      const asked = await tenant.app.inject({
        ...{ method: 'POST', url: `/api/v1${PAGE}`, headers: { 'x-api-key': secret } },
      });
      expect(asked.statusCode).toBe(403);
    }
    for (const path of [PAGE, FILE]) expect((await tenant.get(path, {})).statusCode).toBe(401);
  });

  it('answer this machine alone, as all that shows or makes keys', async () => {
    await using appliance = await startAppliance({ host: '0.0.0.0' });
    for (const path of [PAGE, FILE]) {
      const answer = await appliance.app.inject({
        ...{ url: `/api/v1${path}`, remoteAddress: '192.168.1.77' },
        headers: { 'x-api-key': KEY, host: '192.168.1.20' },
      });
      expect(answer.statusCode).toBe(403);
    }
    expect((await appliance.get(PAGE)).json()).toMatchObject({ key: null });
  });

  it('make no key for who only asks for the file, or how long it is', async () => {
    const { app, key, get } = await freshTenant();
    for (const method of ['GET', 'HEAD'] as const) {
      const url = `/api/v1${FILE}`;
      const answer = await app.inject({ method, url, headers: { 'x-api-key': key } });
      expect(answer.statusCode).toBe(200);
    }
    expect((await get(PAGE)).json()).toMatchObject({ key: null });
  });
});
