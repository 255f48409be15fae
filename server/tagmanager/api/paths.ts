import { faults } from '../fault-words.ts';
import type { ContainerPlace, Place } from './api.ts';
import type { Kind } from './schema.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

const accounts = 'accounts';
const containers = (accountId: string) => `${accounts}/${id(accountId)}/containers`;
const container = ({ accountId, containerId }: ContainerPlace) =>
  `${containers(accountId)}/${id(containerId)}`;
const workspaces = (place: ContainerPlace) => `${container(place)}/workspaces`;
const workspace = (place: Place) => `${workspaces(place)}/${id(place.workspaceId)}`;
const objects = (place: Place, kind: Kind) => `${workspace(place)}/${kind}s`;

/** Every path that is ever asked for. */
export const paths = {
  accounts: () => accounts,
  ...{ containers, workspaces, workspace, objects },
  status: (place: Place) => `${workspace(place)}/status`,
  builtInVariables: (place: Place) => `${workspace(place)}/built_in_variables`,
  live: (place: ContainerPlace) => `${container(place)}/versions:live`,
  object: (place: Place, kind: Kind, objectId: string) => `${objects(place, kind)}/${id(objectId)}`,
};

function id(value: string): string {
  if (!/^\d{1,20}$/.test(value)) throw faults.notFound('what it was asked for is no id');
  return value;
}

const CONTAINER = String.raw`accounts/\d+/containers/\d+`;
const WORKSPACE = String.raw`${CONTAINER}/workspaces/\d+`;
const OBJECTS = `${WORKSPACE}/(tags|triggers|variables|templates)`;

const ALLOWED: Record<Method, RegExp[]> = {
  GET: [
    ...[/^accounts$/, /^accounts\/\d+\/containers$/],
    whole(`${CONTAINER}/workspaces`),
    whole(`${CONTAINER}/versions:live`),
    whole(String.raw`${WORKSPACE}(/status|/built_in_variables)?`),
    whole(String.raw`${OBJECTS}(/\d+)?`),
  ],
  POST: [whole(OBJECTS)],
  PUT: [whole(String.raw`${OBJECTS}/\d+`)],
  DELETE: [whole(String.raw`${OBJECTS}/\d+`)],
};

/** A second lock: what is not in this list is not asked, and nothing in it makes or publishes a version. */
export function checkPath(method: Method, path: string): void {
  if (!ALLOWED[method].some((allowed) => allowed.test(path))) {
    throw new Error(`${method} of this path of the tag manager is not allowed`);
  }
}

function whole(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`);
}
