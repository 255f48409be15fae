import { mkdirSync, writeFileSync } from 'node:fs';
import type os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { version } from '../../server/appliance.ts';
import { createAbout } from '../../server/settings/about.ts';
import type { AboutView, StorageView } from '../../server/settings/schema.ts';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import type { TestAppliance } from '../helpers/appliance.ts';
import { freshTenant, sharedAppliance } from '../helpers/tenant.ts';

const START = Date.parse('2026-03-02T10:00:00Z');

/** Asks as a browser on this machine that is signed in. */
async function signedIn({ app, signInUrl }: TestAppliance) {
  const headers = { host: 'localhost:8737', origin: 'http://localhost:8737' };
  const body = { token: signInUrl().split('token=')[1] };
  const answer = await app.inject({ method: 'POST', url: '/api/v1/session', headers, body });
  const cookies = { vedette_session: answer.cookies[0]?.value ?? '' };
  return async <T>(url: string) => (await app.inject({ url, headers, cookies })).json<T>();
}

describe('GET /api/v1/settings/about', () => {
  it('says what it is and where it runs', async () => {
    const clock = { time: START, now: () => clock.time };
    await using vedette = await startAppliance({ clock, publicUrl: 'https://events.shop.example' });
    clock.time += 5000;
    const ask = await signedIn(vedette);
    const port = Number(new URL(vedette.url).port);
    expect(await ask<AboutView>('/api/v1/settings/about')).toEqual({
      version,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      data_dir: vedette.dataDir,
      started_at: '2026-03-02T10:00:00.000Z',
      ...{ host: '127.0.0.1', port, url: `http://127.0.0.1:${port}`, addresses: [] },
      public_url: 'https://events.shop.example',
      needs_password: true,
      notices: [],
      clock_jump: null,
    });
  });

  it('shows what was mended at the start', async () => {
    const { dataDir, close } = await startAppliance();
    await close();
    writeFileSync(path.join(dataDir, 'events.duckdb'), 'no database');
    await using vedette = await startAppliance({ dataDir });
    const ask = await signedIn(vedette);
    const { notices } = await ask<AboutView>('/api/v1/settings/about');
    expect(notices).toMatchObject([expect.stringContaining('was damaged')]);
    const { set_aside_bytes: bytes } = await ask<StorageView>('/api/v1/settings/storage');
    expect(bytes).toBeGreaterThanOrEqual(11);
  });

  it('is for sessions on this machine, and so is the storage', async () => {
    const vedette = await sharedAppliance();
    for (const name of ['about', 'storage']) {
      const url = `/api/v1/settings/${name}`;
      const ask = (more: object) => vedette.app.inject({ url, ...more });
      expect((await ask({ headers: { 'x-api-key': KEY } })).statusCode).toBe(403);
      expect((await ask({})).statusCode).toBe(401);
      expect((await ask({ remoteAddress: '192.168.1.7' })).statusCode).toBe(403);
    }
  });
});

describe('the addresses for other machines', () => {
  const address = (address: string, internal = false) => ({
    ...{ address, internal, family: address.includes(':') ? 'IPv6' : 'IPv4' },
  });
  const network = () =>
    ({
      lo: [address('127.0.0.1', true), address('::1', true)],
      wlan0: [address('fe80::1'), address('fd00::7'), address('192.168.1.20')],
      eth0: [address('10.0.0.5')],
    }) as unknown as ReturnType<typeof os.networkInterfaces>;

  it.each<[string, string[]]>([
    ['127.0.0.1', []],
    ['localhost', []],
    ['::1', []],
    ['0.0.0.0', ['http://192.168.1.20:1', 'http://10.0.0.5:1']],
    ['::', ['http://192.168.1.20:1', 'http://10.0.0.5:1', 'http://[fd00::7]:1']],
    ['192.168.1.20', ['http://192.168.1.20:1']],
    ['fd00::7', ['http://[fd00::7]:1']],
  ])('of %s are %j', (host, addresses) => {
    const about = createAbout({
      ...{ version, dataDir: '/data', startedAt: START, network, notices: () => [] },
      listening: () => ({ host, port: 1, url: 'http://127.0.0.1:1' }),
      settings: { current: () => ({ public_url: null }) as never },
      needsPassword: () => false,
      clockJump: () => undefined,
    });
    expect(about().addresses).toEqual(addresses);
  });
});

describe('GET /api/v1/settings/storage', () => {
  it('adds up what is on the disk, and counts what is kept', async () => {
    const clock = { time: START, now: () => clock.time };
    await using vedette = await startAppliance({ clock });
    const ask = await signedIn(vedette);
    const url = '/api/v1/settings/storage';
    const none = { events: 0, oldest_event: null, newest_event: null };
    expect(await ask<StorageView>(url)).toMatchObject({ ...none, logs_bytes: 0 });

    const event = { source: 'shop', event_type: 'view', data: {} };
    await vedette.post([event, event]);
    clock.time += 1000;
    await vedette.post([event]);
    mkdirSync(path.join(vedette.dataDir, 'logs'));
    writeFileSync(path.join(vedette.dataDir, 'logs', 'vedette.log'), 'a line\n');
    const shown = await ask<StorageView>(url);
    expect(shown).toMatchObject({
      ...{ logs_bytes: 7, set_aside_bytes: 0, events: 3 },
      oldest_event: '2026-03-02T10:00:00.000Z',
      newest_event: '2026-03-02T10:00:01.000Z',
    });
    expect(shown.database_bytes).toBeGreaterThan(0);
    expect(shown.total_bytes).toBeGreaterThan(shown.free_bytes);
  });

  it('counts the own tenant only', async () => {
    const [other, own] = [await freshTenant(), await freshTenant()];
    await other.post([{ source: 'a', event_type: 'b', data: {} }]);
    const shown = await own.owner.ask('GET', '/settings/storage');
    expect(shown.json<StorageView>()).toMatchObject({ events: 0 });
  });
});
