import { createServer, request as ask, type IncomingHttpHeaders } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AboutView } from '../../server/settings/schema.ts';
import { createAddressOf } from '../../server/http/proxies.ts';
import { startAppliance } from '../helpers/appliance.ts';
import { freshTenant, sharedAppliance, signIn } from '../helpers/tenant.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64)';
const WAYS = '/api/v1/session/ways';

type Rewrite = (headers: IncomingHttpHeaders, host: string) => IncomingHttpHeaders;

/** What nginx does of itself: its own Host, no word of the visitor, and it hangs up after each. */
const bare: Rewrite = (headers, host) => ({ ...headers, host, connection: 'close' });
/** What Apache, Caddy and others do. */
const polite: Rewrite = (headers, host) => ({
  ...headers,
  ...{ host, 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': headers.host ?? '' },
});

/** A tiny reverse proxy on this machine; returns where it listens. */
async function proxyTo(url: string, rewrite: Rewrite): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const server = createServer((incoming, answer) => {
    const { method, url: path, headers } = incoming;
    const passed = ask({ hostname, port, method, path, headers: rewrite(headers, host) }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await new Promise((up) => server.once('listening', up));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The status line that comes back for these very lines. */
async function raw(url: string, ...lines: string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  let answer = '';
  for await (const chunk of socket) {
    answer += String(chunk);
    if (answer.includes('\r\n')) break;
  }
  socket.destroy();
  return answer.split('\r\n')[0] ?? '';
}

describe('behind a reverse proxy on this machine', () => {
  it.each([
    ['bare', bare],
    ['polite', polite],
  ])('a %s one shows neither the dashboard nor metrics, and passes events on', async (_, how) => {
    const vedette = await freshTenant();
    const proxy = await proxyTo(vedette.url, how);
    const headers = { 'user-agent': BROWSER };
    for (const path of ['/', '/sign-in', WAYS, '/api/v1/session', '/api/v1/settings']) {
      expect((await fetch(proxy + path, { headers })).status, path).toBe(403);
    }
    expect((await fetch(`${proxy}/metrics`, { headers })).status).toBe(401);
    const events = await fetch(`${proxy}/api/v1/events`, {
      method: 'POST',
      headers: { 'x-api-key': vedette.key, 'content-type': 'application/json' },
      body: '[{"source":"a","event_type":"b","data":{}}]',
    });
    expect(events.status).toBe(201);
  });

  it('a browser on this machine is let in, by the wire as well', async () => {
    const { url } = await sharedAppliance();
    const { host } = new URL(url);
    expect((await fetch(url + WAYS)).status).toBe(200);
    expect(await raw(url, `GET ${WAYS} HTTP/1.1`, `Host: ${host}`)).toContain('200');
    const fromLink = ['Referer: https://chat.example/', 'Sec-Fetch-Site: cross-site'];
    expect(await raw(url, `GET ${WAYS} HTTP/1.1`, `Host: ${host}`, ...fromLink)).toContain('200');
  });

  it.each([
    'Via: 1.1 proxy',
    'Forwarded: for=203.0.113.9',
    'CF-Connecting-IP: 203.0.113.9',
    'CF-Ray: 1',
    'True-Client-IP: 203.0.113.9',
    'X-Forwarded-Proto: https',
    'X-Forwarded-Port: 443',
    'X-Real-IP: 203.0.113.9',
    'CDN-Loop: cloudflare',
    'X-Original-URL: /',
    'X-Original-Forwarded-For: 203.0.113.9',
    'X-Envoy-External-Address: 203.0.113.9',
    'Fastly-Client-IP: 203.0.113.9',
    'X-Amz-Cf-Id: x',
    'X-ARR-SSL: x',
    'X-ProxyUser-Ip: 203.0.113.9',
    'X-Nginx-Proxy: true',
    'X-ARR-LOG-ID: x',
    'Connection: close',
    'Origin: https://events.shop.example',
    'Referer: https://events.shop.example/settings',
    'Host: events.shop.example',
  ])('"%s" closes the dashboard', async (header) => {
    const { url } = await sharedAppliance();
    const own = header.startsWith('Host:') ? [] : [`Host: ${new URL(url).host}`];
    expect(await raw(url, `GET ${WAYS} HTTP/1.1`, ...own, header)).toContain('403');
  });

  it('HTTP/1.0 closes the dashboard, which no browser speaks', async () => {
    const { url } = await sharedAppliance();
    const { host } = new URL(url);
    expect(await raw(url, `GET ${WAYS} HTTP/1.0`, `Host: ${host}`)).toContain('403');
    const kept = ['Connection: keep-alive'];
    expect(await raw(url, `GET ${WAYS} HTTP/1.0`, `Host: ${host}`, ...kept)).toContain('403');
  });

  it('two Host headers are refused at every door', async () => {
    const vedette = await freshTenant();
    const two = [`Host: ${new URL(vedette.url).host}`, 'host: events.shop.example'];
    const pixel = `/api/v1/events/collect?k=${vedette.key}&d=%7B%7D`;
    for (const path of [WAYS, '/health', pixel]) {
      expect(await raw(vedette.url, `GET ${path} HTTP/1.1`, ...two), path).toContain('400');
    }
  });
});

describe('a dashboard that is reached from outside too', () => {
  const aboutOf = async (vedette: Parameters<typeof signIn>[0]) =>
    (await (await signIn(vedette)).ask('GET', '/settings/about')).json<AboutView>();

  it('asks for a password once a proxy passed a browser on, and no longer when there is one', async () => {
    await using vedette = await startAppliance();
    expect((await aboutOf(vedette)).needs_password).toBe(false);
    const proxy = await proxyTo(vedette.url, bare);
    // A program on this machine may well look like a proxy by itself.
    await fetch(`${proxy}/health`, { headers: { 'user-agent': 'PHP/8' } });
    expect((await aboutOf(vedette)).needs_password).toBe(false);
    await fetch(`${proxy}/api/v1/events/collect?k=x&d=x`, { headers: { 'user-agent': BROWSER } });
    expect((await aboutOf(vedette)).needs_password).toBe(true);
    await (await signIn(vedette)).ask('PUT', '/password', { password: 'correct horse' });
    expect((await aboutOf(vedette)).needs_password).toBe(false);
  });

  it('asks for a password where a start option gives the public address, and opens all the same', async () => {
    await using vedette = await startAppliance({ publicUrl: 'https://events.shop.example' });
    expect((await aboutOf(vedette)).needs_password).toBe(true);
  });
});

describe('whose address counts', () => {
  const from = (trusted: string[], remoteAddress: string, chain?: string) =>
    createAddressOf(() => trusted)({
      socket: { remoteAddress },
      headers: chain === undefined ? {} : { 'x-forwarded-for': chain },
    } as never);
  const LOOPBACK = ['127.0.0.0/8', '::1'];

  it.each([
    [LOOPBACK, '203.0.113.9', '1.2.3.4', '203.0.113.9'],
    [LOOPBACK, '127.0.0.1', undefined, '127.0.0.1'],
    [LOOPBACK, '127.0.0.1', '1.2.3.4', '1.2.3.4'],
    [LOOPBACK, '::1', '1.2.3.4', '1.2.3.4'],
    [LOOPBACK, '::ffff:127.0.0.1', '1.2.3.4', '1.2.3.4'],
    // Only what the proxy itself added is sure.
    [LOOPBACK, '127.0.0.1', '9.9.9.9, 1.2.3.4', '1.2.3.4'],
    [[...LOOPBACK, '10.0.0.0/8'], '127.0.0.1', '9.9.9.9, 1.2.3.4, 10.1.2.3', '1.2.3.4'],
    [['10.0.0.5'], '10.0.0.5', '1.2.3.4', '1.2.3.4'],
    [['10.0.0.5'], '10.0.0.6', '1.2.3.4', '10.0.0.6'],
    [['fd00::/8'], 'fd00::1', '2001:db8::1', '2001:db8::1'],
    [[], '127.0.0.1', '1.2.3.4', '127.0.0.1'],
    [LOOPBACK, '127.0.0.1', '1.2.3.4:5678', '1.2.3.4'],
    [LOOPBACK, '127.0.0.1', '[2001:db8::1]:5678', '2001:db8::1'],
    // What is no address says nothing, so all whom that proxy speaks for count as one.
    [LOOPBACK, '127.0.0.1', 'unknown', '127.0.0.1'],
    [LOOPBACK, '127.0.0.1', '', '127.0.0.1'],
    [LOOPBACK, '127.0.0.1', '127.0.0.1', '127.0.0.1'],
  ])('with %j trusted, %s for %j is %s', (trusted, remote, chain, expected) => {
    expect(from(trusted, remote, chain)).toBe(expected);
  });

  it('is judged alike at the pixel, at POST and everywhere else', async () => {
    await using vedette = await startAppliance({ trustedProxies: '127.0.0.1,10.0.0.0/8' });
    const paths = ['/api/v1/events/collect?k=x&d=x', '/api/v1/events', '/api/v1/alerts'];
    let asked = 0;
    const strange = async (last: string) => {
      const path = paths[asked++ % paths.length] ?? '';
      const headers = { 'x-forwarded-for': `${asked}.1.1.1, ${last}, 10.0.0.7` };
      const method = path === '/api/v1/events' ? 'POST' : 'GET';
      return (await fetch(vedette.url + path, { headers, method })).status;
    };
    for (let i = 0; i < 60; i++) expect(await strange('203.0.113.9')).toBe(401);
    for (let i = 0; i < 3; i++) expect(await strange('203.0.113.9')).toBe(429);
    expect(await strange('203.0.113.10')).toBe(401);
  });
});
