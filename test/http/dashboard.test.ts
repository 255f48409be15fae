import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { firstScript } from '../bench/dashboard.ts';
import { startAppliance } from '../helpers/appliance.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { sharedAppliance } from '../helpers/tenant.ts';

/** Where a client ID is made, where a grant is taken back, and where one publishes. */
const LINKS = ['console.cloud.google.com', 'myaccount.google.com', 'tagmanager.google.com'];

const DIST = path.join(import.meta.dirname, '../../ui/dist');

/** One for each page in ui/src/pages.ts, and for what it may leave out. */
function addresses(): string[] {
  const text = readFileSync(path.join(import.meta.dirname, '../../ui/src/pages.ts'), 'utf8');
  const patterns = [...text.matchAll(/path: (?:\/\^(.+)\$\/|new RegExp\(`\^(.+)\$`\)),/g)];
  // None may be written in a way that is not understood here.
  expect(patterns).toHaveLength(text.match(/load: \(\) => import/g)?.length ?? 0);
  const found = patterns
    .map(([, literal, template]) => literal?.replaceAll('\\/', '/') ?? template ?? '')
    .map((pattern) => pattern.replace('${ID}', randomUUID()))
    .flatMap((pattern) => ['', '$1'].map((rest) => pattern.replace(/\(\?:(.+)\)\?$/, rest)))
    .map((pattern) => pattern.replace('(\\w+)', 'storage'));
  for (const address of found) expect(address).toMatch(/^[\w/-]+$/);
  return [...new Set(found)];
}

describe('the dashboard’s files', () => {
  it('are its page under every address that it may have', async () => {
    const vedette = await sharedAppliance();
    for (const url of ['/sign-in', '/alerts/', ...addresses()]) {
      const answer = await vedette.app.inject({ method: 'GET', url });
      expect(answer.statusCode, url).toBe(200);
      expect(answer.headers['content-type'], url).toBe('text/html; charset=utf-8');
      expect(answer.headers['cache-control'], url).toBe('no-cache');
      expect(answer.body, url).toContain('<div id="app">');
    }
  });

  it('allow no script but their own', async () => {
    const vedette = await sharedAppliance();
    const { headers, body } = await vedette.app.inject({ method: 'GET', url: '/' });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(body).not.toMatch(/<script(?![^>]*src=)/);
    expect(body).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  it('may be kept for ever, zipped where the browser takes that', async () => {
    const vedette = await sharedAppliance();
    const { body } = await vedette.app.inject({ method: 'GET', url: '/' });
    const url = /src="(\/assets\/[^"]+\.js)"/.exec(body)?.[1] ?? '';
    const plain = await vedette.app.inject({ method: 'GET', url });
    const zipped = await vedette.app.inject({
      ...{ method: 'GET', url, headers: { 'accept-encoding': 'gzip' } },
    });
    expect(plain.headers['cache-control']).toContain('immutable');
    expect(plain.headers['content-type']).toMatch(/javascript/);
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.rawPayload).equals(plain.rawPayload)).toBe(true);
  });

  it('let nobody climb out of their folder', async () => {
    const vedette = await sharedAppliance();
    for (const url of [
      '/assets/../index.html',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/assets/..%2f..%2fvite.config.ts',
      '/assets/nope.js',
      '/.vite/manifest.json',
    ]) {
      const answer = await vedette.app.inject({ method: 'GET', url });
      expect([400, 403, 404], url).toContain(answer.statusCode);
    }
  });

  it('leave unknown addresses and those of the API to be 404', async () => {
    const vedette = await sharedAppliance();
    for (const url of ['/api/v1/nope', '/nope', '/api']) {
      const answer = await vedette.app.inject({ method: 'GET', url });
      expect(answer.statusCode, url).toBe(404);
      expect(answer.json()).toHaveProperty('detail');
    }
  });

  it('tell a person who mistyped an address, and a program, each in their own way', async () => {
    const vedette = await sharedAppliance();
    const ask = (method: 'GET' | 'POST', accept: string) =>
      vedette.app.inject({ method, url: '/nowhere', headers: { accept } });
    const person = await ask('GET', 'text/html,*/*');
    expect(person.statusCode).toBe(404);
    expect(person.body).toContain('<div id="app">');
    const program = await ask('GET', '*/*');
    expect(program.statusCode).toBe(404);
    expect(program.json()).toHaveProperty('detail');
    expect((await ask('POST', '*/*')).statusCode).toBe(404);
  });

  it('say so where they were not built', async () => {
    await using vedette = await startAppliance({ dashboardDir: path.join(tempDir(), 'none') });
    const answer = await vedette.app.inject({ method: 'GET', url: '/' });
    expect(answer.statusCode).toBe(503);
    expect(answer.body).toContain('npm run build');
  });

  it('are under 150 kB of zipped script before the first paint', () => {
    expect(firstScript()).toBeLessThan(150_000);
    expect(firstScript()).toBeGreaterThan(20_000);
  });

  it('name no host outside but those of links that a person may follow', () => {
    const texts = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(js|css|html)$/.test(name))
      .map((name) => readFileSync(path.join(DIST, name), 'utf8'));
    const hosts = texts.flatMap((text) =>
      [...text.matchAll(/\bhttps?:\/\/([\w.-]+)/g)].map(([, host = '']) => host),
    );
    // Namespaces of markup, where Svelte explains its errors, and examples, which nobody has.
    const known = new Set(hosts.filter((host) => !host.endsWith('.example')));
    for (const link of LINKS) expect(known.delete(link), link).toBe(true);
    expect([...known].sort()).toEqual(['svelte.dev', 'www.w3.org']);
  });
});
