import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAsk } from '../../../server/tagmanager/api/ask.ts';
import { checkPath, paths } from '../../../server/tagmanager/api/paths.ts';
import { kinds } from '../../../server/tagmanager/api/schema.ts';
import { fingerprintOf, idOf } from '../../../server/tagmanager/api/api.ts';
import { container, HTML, start } from './parts.ts';

const root = path.join(import.meta.dirname, '../../..');
const text = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Verbs and scopes that make a version or publish one, as they stand in the discovery document. */
const FORBIDDEN = [
  ...[
    /create_version/i,
    /:publish\b/,
    /set_latest/,
    /quick_preview/,
    /:undelete/,
    /:reauthorize\b/,
  ],
  ...[/auth\/tagmanager\.publish/, /edit\.containerversions/, /tagmanager\.(manage|delete)/],
  // The one thing that is ever asked about versions is which one is live.
  ...[/\/versions(?!:live\b)/, /version_headers/],
];

function found(files: string[], patterns = FORBIDDEN): string[] {
  return files.flatMap((file) =>
    patterns.filter((pattern) => pattern.test(text(file))).map((pattern) => `${file}: ${pattern}`),
  );
}

function filesOf(folder: string, ends: RegExp): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ends.test(name))
    .map((name) => path.join(folder, name));
}

describe('the product never publishes', () => {
  it('in any line of the server or the desktop program', () => {
    const files = [...filesOf('server', /\.(ts|js)$/), ...filesOf('electron', /^[^/]+\.ts$/)];
    expect(files.length).toBeGreaterThan(100);
    expect(found(files)).toEqual([]);
  });

  it('in what is built of it', () => {
    const built = ['electron/dist', 'ui/dist'].filter((folder) =>
      existsSync(path.join(root, folder)),
    );
    const files = built.flatMap((folder) => filesOf(folder, /\.(c?js|mjs)$/));
    expect(files.length).toBeGreaterThan(0);
    // Words like these may stand in a library that is built in, unlike a verb or a scope.
    const verbs = FORBIDDEN.filter((pattern) => !/versions|version_headers/.test(pattern.source));
    expect(found(files, verbs)).toEqual([]);
  });

  it('by a package that could', () => {
    const { dependencies } = JSON.parse(text('package.json')) as {
      dependencies: Record<string, string>;
    };
    const { packages } = JSON.parse(text('package-lock.json')) as {
      packages: Record<string, { dev?: boolean }>;
    };
    const shipped = Object.entries(packages).filter(([, { dev }]) => !dev);
    const names = [...Object.keys(dependencies), ...shipped.map(([name]) => name)];
    expect(
      names.filter((name) => /googleapis|google-auth|gaxios|tagmanager|gtm/i.test(name)),
    ).toEqual([]);
  });

  it('by any verb, whatever happens to it', async () => {
    const { api, google, place } = await start();
    google.fillContainer(place);
    await api.accounts();
    await api.containers(place.accountId);
    await api.workspaces(container(place));
    await api.workspace(place);
    await api.status(place);
    await api.builtInVariables(place);
    await api.live(container(place));
    for (const kind of kinds) await api.list(place, kind);
    const made = await api.create(place, 'tag', HTML);
    const id = idOf('tag', made);
    await api.update(place, 'tag', id, HTML, fingerprintOf(made));
    await api.delete(place, 'tag', id);
    await api.delete(place, 'tag', id).catch(() => undefined);
    expect(google.publishing()).toEqual([]);
    const asked = google.requests.filter(({ path }) => path.includes('version'));
    expect(asked.map(({ method, path }) => [method, path.replace(/.*\d\//, '')])).toEqual([
      ['GET', 'versions:live'],
    ]);
  });

  it('by an id that is none', () => {
    const odd = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '1:publish',
        '1/versions/2:publish',
        '../versions/1:publish',
        '1?',
        '1#',
        '١',
      ),
    );
    const property = fc.property(odd, fc.nat(3), fc.constantFrom(...kinds), (id, at, kind) => {
      fc.pre(!/^\d{1,20}$/.test(id));
      const ids = ['1', '2', '3', '4'].with(at, id) as [string, string, string, string];
      const [accountId, containerId, workspaceId, objectId] = ids;
      const place = { accountId, containerId, workspaceId };
      expect(() => paths.object(place, kind, objectId)).toThrow(/is no id/);
      if (at < 2) expect(() => paths.live(place)).toThrow(/is no id/);
    });
    fc.assert(property);
  });

  it('by asking for such a path from within', async () => {
    const { google, pacer } = await start();
    const accessToken = () => Promise.resolve('ours');
    const ask = createAsk({ endpoint: google.url, accessToken, project: 'p', pacer });
    const path = 'accounts/1/containers/2/workspaces/3:create_version';
    await expect(ask({ method: 'POST', path }, undefined)).rejects.toThrow(/not allowed/);
    expect(google.requests).toEqual([]);
  });

  it.each([
    ['POST', 'accounts/1/containers/2/workspaces/3:create_version'],
    ['POST', 'accounts/1/containers/2/versions/3:publish'],
    ['POST', 'accounts/1/containers/2/versions:live'],
    ['GET', 'accounts/1/containers/2/versions/3'],
    ['GET', 'accounts/1/containers/2/version_headers'],
    ['PUT', 'accounts/1/containers/2/versions/3'],
    ['DELETE', 'accounts/1/containers/2/versions/3'],
    ['DELETE', 'accounts/1/containers/2/workspaces/3'],
    ['DELETE', 'accounts/1/containers/2'],
    ['PUT', 'accounts/1/containers/2/workspaces/3'],
    ['POST', 'accounts/1/containers/2/workspaces/3/tags/4:revert'],
    ['POST', 'accounts/1/containers/2/workspaces/3/built_in_variables'],
    ['GET', 'accounts/1/user_permissions'],
  ] as const)('by a path that slipped through: %s %s', (method, path) => {
    expect(() => checkPath(method, path)).toThrow(/not allowed/);
  });
});
