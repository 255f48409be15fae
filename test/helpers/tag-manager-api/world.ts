import type { tagmanager_v2 } from '@googleapis/tagmanager';
import { refusals } from './answers.ts';
import type { ObjectKind, Objects } from './shapes.ts';

export type Content = { [K in ObjectKind]: Map<string, Objects[K]> } & {
  builtInVariable: Map<string, tagmanager_v2.Schema$BuiltInVariable>;
};

export interface Place {
  accountId: string;
  containerId: string;
  workspaceId: string;
}

interface Path extends Omit<Place, 'workspaceId'> {
  path: string;
}

/** What somebody may do in a container; each may what those before it may. */
export const LEVELS = ['noAccess', 'read', 'edit', 'approve', 'publish'] as const;
export type Level = (typeof LEVELS)[number];

export interface WorkspaceState {
  workspace: tagmanager_v2.Schema$Workspace & Path & Place;
  content: Content;
  /** What it was made from. */
  base: Content;
}

export interface VersionState {
  name: string;
  content: Content;
  fingerprint: string;
}

export interface ContainerState {
  container: tagmanager_v2.Schema$Container & Path;
  workspaces: Map<string, WorkspaceState>;
  versions: Map<string, VersionState>;
  live: string | undefined;
  levels: Map<string, Level>;
  /** Ids are counted for the container, not for each kind. */
  nextId: () => string;
  nextWorkspaceId: () => string;
}

export interface AccountState {
  account: tagmanager_v2.Schema$Account;
  containers: Map<string, ContainerState>;
  /** Who sees it; everybody if it is not said. */
  users: Set<string> | undefined;
}

const FIRST_FINGERPRINT = 1_700_000_000_000;
const WEB = 'https://tagmanager.google.com/#';

export function createWorld() {
  const accounts = new Map<string, AccountState>();
  const nextAccountId = counter(6_000_000_001);
  const nextContainerId = counter(100_000_001);
  /** In practice the moment of the write, in milliseconds; never the same again. */
  const fingerprint = counter(FIRST_FINGERPRINT);

  function addAccount({ name = 'Shop', users }: NewAccount = {}): AccountState {
    const accountId = nextAccountId();
    const account = {
      ...{ path: `accounts/${accountId}`, accountId, name, shareData: false },
      ...{ fingerprint: fingerprint(), tagManagerUrl: `${WEB}/admin/accounts/${accountId}` },
    };
    const state = { account, containers: new Map(), users: users && new Set(users) };
    accounts.set(accountId, state);
    return state;
  }

  function addContainer(accountId: string, made: NewContainer = {}): ContainerState {
    const containerId = nextContainerId();
    const { name = 'www.shop.example', publicId = publicIdOf(containerId) } = made;
    const path = `accounts/${accountId}/containers/${containerId}`;
    const state: ContainerState = {
      container: {
        ...{ path, accountId, containerId, name, publicId, tagIds: [publicId] },
        ...{ usageContext: made.usageContext ?? ['web'], fingerprint: fingerprint() },
        tagManagerUrl: `${WEB}/container/${path}/workspaces`,
      },
      ...{ workspaces: new Map(), versions: new Map(), live: undefined },
      ...{ levels: new Map(), nextId: counter(1), nextWorkspaceId: counter(2) },
    };
    accountOf(accountId).containers.set(containerId, state);
    addWorkspace(state, 'Default Workspace', emptyContent());
    return state;
  }

  function addWorkspace(
    { container, workspaces, nextWorkspaceId }: ContainerState,
    name: string,
    base: Content,
    description?: string,
  ): WorkspaceState {
    const { accountId, containerId, path: parent } = container;
    const workspaceId = nextWorkspaceId();
    const path = `${parent}/workspaces/${workspaceId}`;
    const state = {
      workspace: {
        ...{ path, accountId, containerId, workspaceId, name },
        ...(description !== undefined && { description }),
        ...{ fingerprint: fingerprint(), tagManagerUrl: `${WEB}/container/${path}` },
      },
      content: copyOf(base),
      base,
    };
    workspaces.set(workspaceId, state);
    return state;
  }

  function accountOf(accountId: string): AccountState {
    return found(accounts.get(accountId));
  }

  function containerOf({ accountId, containerId }: Omit<Place, 'workspaceId'>): ContainerState {
    return found(accountOf(accountId).containers.get(containerId));
  }

  function workspaceOf(place: Place): WorkspaceState {
    return found(containerOf(place).workspaces.get(place.workspaceId));
  }

  return {
    ...{ accounts, addAccount, addContainer, addWorkspace, fingerprint },
    ...{ accountOf, containerOf, workspaceOf },
  };
}

export type World = ReturnType<typeof createWorld>;

export interface NewAccount {
  name?: string;
  users?: string[];
}

export interface NewContainer {
  name?: string;
  publicId?: string;
  usageContext?: string[];
}

export function placeOf({ workspace }: WorkspaceState): Place {
  const { accountId, containerId, workspaceId } = workspace;
  return { accountId, containerId, workspaceId };
}

export function emptyContent(): Content {
  return {
    ...{ tag: new Map(), trigger: new Map(), variable: new Map(), template: new Map() },
    ...{ folder: new Map(), builtInVariable: new Map() },
  };
}

/** What is in it is never changed in place, only replaced. */
export function copyOf(content: Content): Content {
  return {
    ...{ tag: new Map(content.tag), trigger: new Map(content.trigger) },
    ...{ variable: new Map(content.variable), template: new Map(content.template) },
    ...{ folder: new Map(content.folder), builtInVariable: new Map(content.builtInVariable) },
  };
}

export function found<T>(value: T | undefined): T {
  if (value === undefined) throw refusals.missing();
  return value;
}

function counter(first: number): () => string {
  let next = first;
  return () => String(next++);
}

function publicIdOf(containerId: string): string {
  return `GTM-${Number(containerId).toString(36).toUpperCase().padStart(7, 'W')}`;
}
