import { describe, expect, it } from 'vitest';
import type { Tenant } from '../../server/tenants/schema.ts';
import { NEVER, placeOf, PRIVATE } from '../../server/webhooks/places.ts';
import { freshTenant } from '../helpers/tenant.ts';
import { webhookParts } from './parts.ts';
import { openReceiver } from './receiver.ts';

describe('an address', () => {
  it.each([
    ['public', ['8.8.8.8', '172.15.0.1', '172.32.0.1', '100.63.255.255', '11.0.0.1', '1.1.1.1']],
    ['public', ['2606:4700::1111', '2a00:1450::1', '::ffff:8.8.8.8', '64:ff9b::808:808']],
    ['public', ['2002:808:808::1']],
    ['private', ['127.0.0.1', '127.255.0.9', '10.0.0.1', '172.16.0.1', '172.31.255.255']],
    ['private', ['192.168.1.1', '100.64.0.1', '100.127.255.255', '::1', 'fd12:3456::1', 'fc00::1']],
    ['private', ['::ffff:10.0.0.1', '::ffff:7f00:1', '64:ff9b::192.168.0.1', '2002:a00:1::1']],
    ['never', ['169.254.169.254', '169.254.0.1', '0.0.0.0', '0.1.2.3', '224.0.0.1', '240.0.0.1']],
    [
      'never',
      ['255.255.255.255', '100.100.100.200', '192.0.0.192', '198.51.100.1', '::', 'ff02::1'],
    ],
    ['never', ['fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1', 'fd00:ec2::254', '2001:db8::1']],
    ['never', ['::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::', '::127.0.0.1']],
    ['never', ['64:ff9b:1::10.0.0.1', '2001:0:1::1', '4000::1']],
  ] as const)('is %s: %s', (place, addresses) => {
    for (const address of addresses) expect(placeOf(address), address).toBe(place);
  });
});

describe('a delivery', () => {
  /** Of a webhook whose name was somebody's on the internet when it was set up by a key. */
  async function delivered(resolve: () => Promise<string[]>, port = '9') {
    const parts = await webhookParts({ resolve });
    const webhook = { url: `http://hooks.shop.example:${port}/in` };
    await parts.profiles.change(parts.tenantId, { webhook }, 'key');
    await parts.raise();
    await parts.deliverer.deliverDue();
    return { ...parts, delivery: await parts.only(), webhook };
  }

  it.each([
    [['127.0.0.1'], PRIVATE],
    [['192.168.0.7', 'fe80::7'], PRIVATE],
    [['169.254.169.254'], NEVER],
    [['::'], NEVER],
    [[], NEVER],
  ])('does not follow a name to %s, whatever it said before', async (addresses, words) => {
    const receiver = await openReceiver();
    const { port } = new URL(receiver.url);
    const { delivery } = await delivered(async () => addresses, port);
    expect(delivery).toMatchObject({ status: 'pending', last_status: null, last_error: words });
    expect(receiver.received).toEqual([]);
  });

  it('goes to the address that was judged, which is asked for once', async () => {
    const receiver = await openReceiver();
    let asked = 0;
    const resolve = async () => (asked++ === 0 ? ['127.0.0.1'] : ['127.0.0.2']);
    const parts = await webhookParts({ resolve });
    await parts.setUp({ url: receiver.url.replace('127.0.0.1', 'nas.shop.example') });
    await parts.raise();
    await parts.deliverer.deliverDue();
    expect(await parts.only()).toMatchObject({ status: 'delivered' });
    expect(asked).toBe(1);
    const host = `nas.shop.example:${new URL(receiver.url).port}`;
    expect(receiver.received[0]?.headers.host).toBe(host);
  });

  it('is never made to what no webhook is for, not even where the owner allows it', async () => {
    const parts = await webhookParts({ resolve: async () => ['169.254.169.254'] });
    await parts.setUp({ url: 'http://metadata.shop.example/' });
    await parts.raise();
    await parts.deliverer.deliverDue();
    expect(await parts.only()).toMatchObject({ status: 'pending', last_error: NEVER });
  });
});

it.each(['localhost', 'localhost.', 'hooks.LocalHost', 'hooks.localhost.'])(
  'the name %s is of this machine, whatever a look-up says',
  async (name) => {
    for (const resolve of [async () => ['8.8.8.8'], () => Promise.reject(new Error('unknown'))]) {
      const { profiles, tenantId } = await webhookParts({ resolve });
      const webhook = { url: `http://${name}:9/in` };
      await expect(profiles.change(tenantId, { webhook }, 'key')).rejects.toMatchObject({
        status: 403,
      });
    }
  },
);

describe('an address in a private network', () => {
  const url = 'http://127.0.0.1:9/in';

  async function shop() {
    const { owner, app, call } = await freshTenant();
    const byKey = (webhook: object) => call('PATCH', '/tenants/me', { webhook });
    const bySession = (webhook: object) =>
      app.inject({
        ...{ method: 'PATCH', url: '/api/v1/tenants/me', headers: owner.headers },
        payload: { webhook },
      });
    return { byKey, bySession };
  }

  it.each([
    url,
    'http://localhost:9/',
    'http://[::1]/',
    'http://0x7f.1/',
    'http://[::ffff:a00:1]/',
  ])('is refused to a key and asked about in a session: %s', async (url) => {
    const { byKey, bySession } = await shop();
    for (const more of [{}, { allow_private: true }, { allow_private: false }]) {
      const refused = await byKey({ url, ...more });
      expect(refused.statusCode).toBe(403);
      expect(refused.json<{ detail: string }>().detail).toContain('on a private network');
    }
    const asked = await bySession({ url });
    expect(asked.statusCode).toBe(422);
    expect(asked.json()).toMatchObject({ errors: [{ path: 'webhook.allow_private' }] });
    const made = await bySession({ url, allow_private: true });
    expect(made.json<Tenant>().webhook).toMatchObject({ url, allow_private: true });
  });

  it.each(['http://169.254.169.254/latest', 'http://0.0.0.0:8737/', 'http://[fe80::1]/'])(
    'is another matter than one that takes no webhooks: %s',
    async (url) => {
      const { bySession } = await shop();
      const refused = await bySession({ url, allow_private: true });
      expect(refused.statusCode).toBe(422);
      expect(refused.json()).toMatchObject({ errors: [{ path: 'webhook.url', message: NEVER }] });
    },
  );

  it('stays allowed for that address alone, whatever else a key changes', async () => {
    const { byKey, bySession } = await shop();
    const { webhook } = (await bySession({ url, allow_private: true })).json<Tenant>();
    const same = await byKey({ ...webhook, severities: ['info'] });
    expect(same.json<Tenant>().webhook?.allow_private).toBe(true);
    for (const other of [{ url: `${url}/2` }, { url: `${url}/2`, allow_private: true }]) {
      expect((await byKey(other)).statusCode).toBe(403);
    }
    expect((await bySession({ url: `${url}/2` })).statusCode).toBe(422);

    const away = await byKey({ url: 'http://8.8.8.8/in' });
    expect(away.json<Tenant>().webhook?.allow_private).toBe(false);
    expect((await byKey({ url })).statusCode).toBe(403);
  });
});
