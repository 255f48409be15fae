import { request } from 'node:http';
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createDashboardGuard, isLocal } from '../../server/http/local.ts';
import type { SettingsStore } from '../../server/settings/store.ts';
import { startAppliance } from '../helpers/appliance.ts';
import { identityApp, type Parts } from '../helpers/identity-parts.ts';

function probe(app: FastifyInstance, { identity }: Parts): void {
  app.get('/ui', {
    onRequest: identity.dashboardOnly,
    handler: async (request) => isLocal(request),
  });
}

interface From {
  address?: string;
  host?: string;
  headers?: Record<string, string>;
}

async function asker(given: Parameters<typeof identityApp>[0] = {}) {
  const { app } = await identityApp(given, probe);
  return ({ address = '127.0.0.1', host = 'localhost:8737', headers = {} }: From) =>
    app.inject({ url: '/ui', remoteAddress: address, headers: { host, ...headers } });
}

describe('the dashboard on this machine only', () => {
  it('answers by every name of it', async () => {
    const ask = await asker();
    for (const from of [
      {},
      { host: '127.0.0.1:8737' },
      { host: '127.8.8.8' },
      { host: '[::1]:8737', address: '::1' },
      { host: 'LOCALHOST', address: '::ffff:127.0.0.1' },
    ]) {
      const answer = await ask(from);
      expect([answer.statusCode, answer.json()], JSON.stringify(from)).toEqual([200, true]);
    }
  });

  it('does not answer what a proxy passed on, nor anyone elsewhere, whatever they call us', async () => {
    const ask = await asker();
    const host = 'localhost:8737';
    for (const from of [
      { headers: { 'x-forwarded-for': '127.0.0.1' } },
      { headers: { 'x-forwarded-host': 'localhost' } },
      { headers: { forwarded: 'for=127.0.0.1' } },
      { headers: { 'x-real-ip': '127.0.0.1' } },
      { headers: { via: '1.1 proxy' } },
      { address: '192.168.1.7', host },
      { address: '::ffff:192.168.1.7', host },
      { address: 'fe80::1', host },
      { address: '128.0.0.1', host },
    ]) {
      const answer = await ask(from);
      expect(answer.statusCode, JSON.stringify(from)).toBe(403);
      expect(answer.body).toContain('this machine only');
    }
  });

  it('does not answer to another name', async () => {
    const ask = await asker();
    for (const host of [
      ...['evil.test:8737', 'localhost.evil.test', '127.0.0.1.evil.test', '192.168.1.20:8737'],
      ...['countertop.local', ':8737', 'localhost:8737@evil.test', 'localhost/x', '[::1', '::1'],
    ]) {
      const answer = await ask({ host });
      expect(answer.statusCode, host).toBe(403);
      expect(answer.body).toContain('host name');
    }
  });
});

describe('the dashboard on the LAN', () => {
  const lan = {
    password: 'correct horse',
    overrides: { dashboard_on_lan: true, public_url: 'https://events.shop.example:8443' },
  };
  const there = { address: '192.168.1.7' };

  it('answers to its addresses and names, and to no other', async () => {
    const ask = await asker(lan);
    for (const host of [
      ...['192.168.1.20:8737', '[fd00::20]:8737', '127.0.0.1', 'localhost', 'countertop:8737'],
      ...['CounterTop.local:8737', 'events.shop.example', 'events.shop.example:8443'],
    ]) {
      const answer = await ask({ ...there, host });
      expect([answer.statusCode, answer.json()], host).toEqual([200, false]);
    }
    for (const host of ['evil.test', 'xcountertop.local', 'countertop.local.evil.test', ':8737']) {
      expect((await ask({ ...there, host })).statusCode, host).toBe(403);
      expect((await ask({ host })).statusCode, host).toBe(403);
    }
  });

  it('stays shut while there is no password', async () => {
    const ask = await asker({ overrides: { dashboard_on_lan: true } });
    expect((await ask({ ...there, host: '192.168.1.20' })).statusCode).toBe(403);
    expect((await ask({})).statusCode).toBe(200);
  });
});

describe('an address of this machine that is not loopback', () => {
  interface Call {
    from: string | undefined;
    to: string | undefined;
    host: string;
    headers?: Record<string, string>;
  }

  /** What the dashboard and what the figures for this machine make of such a connection. */
  function judge({ from, to, host, headers = {} }: Call): [boolean, boolean] {
    const settings = { dashboardOnLan: () => false } as SettingsStore;
    const guard = createDashboardGuard({ settings, machine: 'Countertop' });
    const socket = { remoteAddress: from, localAddress: to };
    const raw = { headers: { host, ...headers }, socket, httpVersion: '1.1' };
    const given = { ...raw, raw } as unknown as FastifyRequest;
    try {
      guard(given);
      return [true, isLocal(given)];
    } catch {
      return [false, isLocal(given)];
    }
  }

  it.each([
    ['192.168.1.5', '192.168.1.5:8737'],
    ['192.168.1.5', '192.168.1.5'],
    ['192.168.1.5', 'localhost:8737'],
    ['::ffff:192.168.1.5', '192.168.1.5:8737'],
    ['fd00::2', '[fd00::2]:8737'],
    ['fd00::2', '[FD00:0::0:2]:8737'],
  ])('%s may call itself "%s"', (address, host) => {
    expect(judge({ from: address, to: address, host })).toEqual([true, true]);
  });

  it.each<Call>([
    { from: '192.168.1.7', to: '192.168.1.5', host: '192.168.1.5:8737' },
    { from: '192.168.1.7', to: '192.168.1.5', host: 'localhost:8737' },
    { from: '::ffff:192.168.1.7', to: '::ffff:192.168.1.5', host: '192.168.1.5' },
    { from: 'fd00::3', to: 'fd00::2', host: '[fd00::2]' },
    { from: undefined, to: undefined, host: 'localhost' },
    { from: '', to: '', host: 'localhost' },
    { from: '192.168.1.5', to: '192.168.1.5', host: '192.168.1.6:8737' },
    { from: '192.168.1.5', to: '192.168.1.5', host: 'countertop:8737' },
    { from: '192.168.1.5', to: '192.168.1.5', host: '192.168.1.5.evil.test' },
    { from: '192.168.1.5', to: '192.168.1.5', host: 'evil.test:8737' },
    { from: 'fd00::2', to: 'fd00::2', host: '[fd00::3]' },
    // A loopback connection says nothing for another address.
    { from: '127.0.0.1', to: '127.0.0.1', host: '192.168.1.5:8737' },
    ...['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'x-real-ip', 'via'].map((name) => ({
      ...{ from: '192.168.1.5', to: '192.168.1.5', host: '192.168.1.5:8737' },
      headers: { [name]: '192.168.1.5' },
    })),
  ])('lets nothing else in: %j', (call) => {
    expect(judge(call)).toEqual([false, false]);
  });

  const own = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
    .map(({ address, family }) => ({
      address,
      host: family === 'IPv6' ? `[${address}]` : address,
    }));

  it.skipIf(own.length > 0)('is not to be had on this machine, so nothing was tried', () => {
    expect(own).toEqual([]);
  });

  it.each(own)(
    'signs this machine in at $host by its link, and answers neither foreign names nor proxies',
    async ({ address }) => {
      await using vedette = await startAppliance({ host: address });
      const link = new URL(vedette.signInUrl());
      const { origin, port } = link;
      const at = `${origin}/api/v1/session`;
      const sign = (headers: Record<string, string>) =>
        fetch(at, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ token: link.hash.slice('#token='.length) }),
        });
      expect((await sign({ origin: 'http://evil.test' })).status).toBe(403);
      const answer = await sign({ origin });
      expect(answer.status).toBe(201);
      const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      expect(answer.headers.get('set-cookie')).not.toMatch(/domain|secure/i);
      expect((await fetch(at, { headers: { cookie } })).status).toBe(200);
      const end = (from: string) =>
        fetch(at, { method: 'DELETE', headers: { cookie, origin: from } }).then(
          ({ status }) => status,
        );
      expect(await end('http://localhost')).toBe(403);
      expect(await end(origin)).toBe(204);

      // Not by fetch, which sets the host itself.
      const status = (headers: Record<string, string>) =>
        new Promise<number | undefined>((resolve, reject) => {
          const path = '/api/v1/session/ways';
          request({ host: address, port, path, headers }, (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          })
            .on('error', reject)
            .end();
        });
      expect(await status({})).toBe(200);
      expect(await status({ host: `evil.test:${port}` })).toBe(403);
      expect(await status({ 'x-forwarded-for': address })).toBe(403);
    },
  );

  it.skipIf(!own.some(({ address }) => isIPv6(address)))(
    'is near where all addresses are listened to',
    async () => {
      await using vedette = await startAppliance({ host: '::' });
      const { port } = new URL(vedette.url);
      for (const { host } of own) {
        const { status } = await fetch(`http://${host}:${port}/api/v1/session/ways`);
        expect(status, host).toBe(200);
      }
    },
  );
});
