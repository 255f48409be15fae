import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { isLocal } from '../../server/http/local.ts';
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
  it.each([
    [{}],
    [{ host: '127.0.0.1:8737' }],
    [{ host: '127.8.8.8' }],
    [{ host: '[::1]:8737', address: '::1' }],
    [{ host: 'LOCALHOST', address: '::ffff:127.0.0.1' }],
  ])('answers %j', async (from) => {
    const answer = await (await asker())(from);
    expect([answer.statusCode, answer.json()]).toEqual([200, true]);
  });

  it.each([
    ['x-forwarded-for', '127.0.0.1'],
    ['x-forwarded-host', 'localhost'],
    ['forwarded', 'for=127.0.0.1'],
    ['x-real-ip', '127.0.0.1'],
    ['via', '1.1 proxy'],
  ])('does not answer what a proxy passed on (%s)', async (name, value) => {
    const answer = await (await asker())({ headers: { [name]: value } });
    expect(answer.statusCode).toBe(403);
    expect(answer.body).toContain('this machine only');
  });

  it.each([['192.168.1.7'], ['::ffff:192.168.1.7'], ['fe80::1'], ['128.0.0.1']])(
    'does not answer %s, whatever it calls us',
    async (address) => {
      const answer = await (await asker())({ address, host: 'localhost:8737' });
      expect(answer.statusCode).toBe(403);
      expect(answer.body).toContain('this machine only');
    },
  );

  it.each([
    ['evil.test:8737'],
    ['localhost.evil.test'],
    ['127.0.0.1.evil.test'],
    ['192.168.1.20:8737'],
    ['countertop.local'],
    [':8737'],
    ['localhost:8737@evil.test'],
    ['localhost/x'],
    ['[::1'],
    ['::1'],
  ])('does not answer to the name "%s"', async (host) => {
    const answer = await (await asker())({ host });
    expect(answer.statusCode).toBe(403);
    expect(answer.body).toContain('host name');
  });
});

describe('the dashboard on the LAN', () => {
  const lan = {
    password: 'correct horse',
    overrides: { dashboard_on_lan: true, public_url: 'https://events.shop.example:8443' },
  };
  const there = { address: '192.168.1.7' };

  it.each([
    ['192.168.1.20:8737'],
    ['[fd00::20]:8737'],
    ['127.0.0.1'],
    ['localhost'],
    ['countertop:8737'],
    ['CounterTop.local:8737'],
    ['events.shop.example'],
    ['events.shop.example:8443'],
  ])('answers to %s', async (host) => {
    const answer = await (await asker(lan))({ ...there, host });
    expect([answer.statusCode, answer.json()]).toEqual([200, false]);
  });

  it.each([['evil.test'], ['xcountertop.local'], ['countertop.local.evil.test'], [':8737']])(
    'does not answer to the name "%s"',
    async (host) => {
      expect((await (await asker(lan))({ ...there, host })).statusCode).toBe(403);
      expect((await (await asker(lan))({ host })).statusCode).toBe(403);
    },
  );

  it('stays shut while there is no password', async () => {
    const ask = await asker({ overrides: { dashboard_on_lan: true } });
    expect((await ask({ ...there, host: '192.168.1.20' })).statusCode).toBe(403);
    expect((await ask({})).statusCode).toBe(200);
  });
});
