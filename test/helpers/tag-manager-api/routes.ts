import { refusals } from './answers.ts';
import type { Answer } from './answers.ts';
import type { ObjectVerbs } from './objects.ts';
import { text } from './references.ts';
import type { Body } from './references.ts';
import { shown } from './objects.ts';
import { page } from './paging.ts';
import { FAMILIES, kindOf, KINDS } from './shapes.ts';
import type { ObjectKind } from './shapes.ts';
import { found, LEVELS } from './world.ts';
import type { ContainerState, Level, Place, World } from './world.ts';
import { headerOf, liveView, statusView, versionView } from './versions.ts';
import type { VersionVerbs } from './versions.ts';

const SCOPE = 'https://www.googleapis.com/auth/tagmanager.';
export const READ_SCOPE = `${SCOPE}readonly`;
export const EDIT_SCOPE = `${SCOPE}edit.containers`;
const VERSION_SCOPE = `${SCOPE}edit.containerversions`;
const PUBLISH_SCOPE = `${SCOPE}publish`;

const READ = { scopes: [READ_SCOPE, EDIT_SCOPE], level: 'read' } as const;
const EDIT = { scopes: [EDIT_SCOPE], level: 'edit' } as const;
const VERSION = { scopes: [VERSION_SCOPE], level: 'approve' } as const;
const PUBLISH = { scopes: [PUBLISH_SCOPE], level: 'publish' } as const;

interface Right {
  scopes: readonly string[];
  level: Level;
}

export interface Caller {
  user: string;
  scopes: string[];
}

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Body;
  caller: Caller;
}

interface Match extends Asked {
  place: Place;
  /** The last part of the path, of an object or a version. */
  id: string;
  kind: ObjectKind;
}

type Handler = (match: Match) => object | undefined;

interface Route {
  method: string;
  pattern: RegExp;
  right: Right;
  handle: Handler;
}

export interface Parts {
  world: World;
  objects: ObjectVerbs;
  versions: VersionVerbs;
  pageSize: number;
}

/** The paths of the discovery document, as far as they are answered here. */
export function createRoutes(parts: Parts): (asked: Asked) => Answer {
  const { world } = parts;
  const routes = [...readingRoutes(parts), ...objectRoutes(parts), ...versionRoutes(parts)];

  return (asked) => {
    for (const { method, pattern, right, handle } of routes) {
      const fits = asked.method === method && pattern.exec(asked.path);
      if (!fits) continue;
      const match = matchOf(asked, fits.groups ?? {});
      checkRight(world, match, right);
      const body = handle(match);
      return body === undefined ? { status: 204 } : { status: 200, body };
    }
    throw refusals.missing();
  };
}

function checkRight(world: World, { caller, place }: Match, right: Right): void {
  if (!right.scopes.some((scope) => caller.scopes.includes(scope))) throw refusals.scope();
  if (place.accountId === '') return;
  const { users } = world.accountOf(place.accountId);
  if (users && !users.has(caller.user)) throw refusals.missing();
  if (place.containerId === '') return;
  const level = levelOf(world.containerOf(place), caller);
  // Those who may see nothing are not told that there is something.
  if (level === 'noAccess') throw refusals.missing();
  if (LEVELS.indexOf(level) < LEVELS.indexOf(right.level)) throw refusals.permission();
}

function levelOf({ levels }: ContainerState, { user }: Caller): Level {
  return levels.get(user) ?? 'publish';
}

function readingRoutes({ world, pageSize }: Parts): Route[] {
  const get = (path: string, handle: Handler): Route => route('GET', path, READ, handle);
  return [
    get('accounts', ({ query, caller }) => {
      const all = [...world.accounts.values()]
        .filter(({ users }) => !users || users.has(caller.user))
        .map(({ account }) => account);
      return page('account', all, query, pageSize);
    }),
    get('accounts/:account', ({ place }) => world.accountOf(place.accountId).account),
    get('accounts/:account/containers', ({ place, query, caller }) => {
      const all = [...world.accountOf(place.accountId).containers.values()]
        .filter((container) => levelOf(container, caller) !== 'noAccess')
        .map(({ container }) => container);
      return page('container', all, query, pageSize);
    }),
    get(CONTAINER, ({ place }) => world.containerOf(place).container),
    get(`${CONTAINER}/workspaces`, ({ place, query }) => {
      const all = [...world.containerOf(place).workspaces.values()];
      return page(
        'workspace',
        all.map(({ workspace }) => workspace),
        query,
        pageSize,
      );
    }),
    get(WORKSPACE, ({ place }) => world.workspaceOf(place).workspace),
    get(`${WORKSPACE}/status`, ({ place }) =>
      statusView(world.containerOf(place), world.workspaceOf(place)),
    ),
    get(`${WORKSPACE}/built_in_variables`, ({ place, query }) => {
      const all = [...world.workspaceOf(place).content.builtInVariable.values()].map((one) => ({
        ...one,
        ...{ workspaceId: place.workspaceId, path: `${pathOf(place)}/built_in_variables` },
      }));
      return page('builtInVariable', all, query, pageSize);
    }),
  ];
}

function objectRoutes({ world, objects, pageSize }: Parts): Route[] {
  const all = `${WORKSPACE}/:kind`;
  const one = `${all}/:id`;
  return [
    route('GET', all, READ, ({ place, kind, query }) => {
      const held = [...world.workspaceOf(place).content[kind].values()];
      const views = held.map((object) => shown(place, kind, object));
      return page(kind, views, query, pageSize);
    }),
    route('POST', all, EDIT, ({ place, kind, body }) => objects.insert(place, kind, body)),
    route('GET', one, READ, ({ place, kind, id }) =>
      shown(place, kind, found(world.workspaceOf(place).content[kind].get(id))),
    ),
    route('PUT', one, EDIT, ({ place, kind, id, body, query }) =>
      objects.replace(place, kind, id, body, query.get('fingerprint') ?? undefined),
    ),
    route('DELETE', one, EDIT, ({ place, kind, id }) => {
      objects.remove(place, kind, id);
      return undefined;
    }),
  ];
}

function versionRoutes({ world, versions, pageSize }: Parts): Route[] {
  const version = `${CONTAINER}/versions/:id`;
  return [
    route('GET', `${CONTAINER}/versions:live`, READ, ({ place }) =>
      liveView(world.containerOf(place)),
    ),
    route('GET', version, READ, ({ place, id }) => versionView(world.containerOf(place), id)),
    route('GET', `${CONTAINER}/version_headers`, READ, ({ place, query }) => {
      const state = world.containerOf(place);
      const headers = [...state.versions.keys()].map((id) => headerOf(state, id));
      return page('containerVersionHeader', headers, query, pageSize);
    }),
    route('GET', `${CONTAINER}/version_headers:latest`, READ, ({ place }) => {
      const state = world.containerOf(place);
      return headerOf(state, [...state.versions.keys()].at(-1) ?? '');
    }),
    route('POST', `${WORKSPACE}:create_version`, VERSION, ({ place, body }) => {
      const { versionId, workspace } = versions.make(place, text(body['name']));
      return {
        containerVersion: versionView(world.containerOf(place), versionId),
        ...{ newWorkspacePath: workspace.workspace.path, compilerError: false },
      };
    }),
    route('POST', `${version}:publish`, PUBLISH, ({ place, id }) => {
      const state = world.containerOf(place);
      versions.publish(state, id);
      return { containerVersion: versionView(state, id), compilerError: false };
    }),
  ];
}

const CONTAINER = 'accounts/:account/containers/:container';
const WORKSPACE = `${CONTAINER}/workspaces/:workspace`;
const COLLECTIONS = KINDS.map((kind) => FAMILIES[kind].collection).join('|');

function route(method: string, path: string, right: Right, handle: Handler): Route {
  const pattern = path
    .replace(':kind', `(?<kind>${COLLECTIONS})`)
    .replace(/:(account|container|workspace|id)/g, '(?<$1>\\d+)');
  return { method, pattern: new RegExp(`^/tagmanager/v2/${pattern}$`), right, handle };
}

function matchOf(asked: Asked, groups: Record<string, string>): Match {
  const { account = '', container = '', workspace = '', id = '', kind = '' } = groups;
  return {
    ...asked,
    place: { accountId: account, containerId: container, workspaceId: workspace },
    ...{ id, kind: kindOf(kind) ?? 'tag' },
  };
}

function pathOf({ accountId, containerId, workspaceId }: Place): string {
  return `accounts/${accountId}/containers/${containerId}/workspaces/${workspaceId}`;
}
