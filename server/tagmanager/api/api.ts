import type { Definition, Kind } from './schema.ts';

/** Which workspace is spoken of. */
export interface Place {
  accountId: string;
  containerId: string;
  workspaceId: string;
}

export type ContainerPlace = Pick<Place, 'accountId' | 'containerId'>;

export interface Account {
  accountId: string;
  name: string;
}

export interface Container extends ContainerPlace {
  /** `GTM-…` */
  publicId: string;
  name: string;
  usageContext: string[];
}

export interface Workspace extends Place {
  name: string;
  description: string | null;
}

/** What the workspace has that was not published yet. */
export interface WorkspaceStatus {
  changes: { kind: Kind | 'other'; id: string; status: 'added' | 'updated' | 'deleted' }[];
  /** Objects that were changed both here and in a version published meanwhile. */
  conflicts: number;
}

/** What visitors get. */
export interface LiveVersion {
  versionId: string;
  name: string;
  objects: Record<Kind, Definition[]>;
}

export interface Call {
  /** Ends waiting and reading. A write that has been sent is not cut off: `stopped` means that nothing was written. */
  signal?: AbortSignal;
  /** Ends even a write that has been sent, when all is closed: what became of it is not known then. */
  cut?: AbortSignal;
  /** Told before each request: a list has pages, and each is one. */
  asking?: () => void;
}

/**
 * The tag manager's API in the name of one connection, at its pace. There is no verb that makes a
 * version or publishes one, and none may be added. Every verb throws a `TagManagerFault`.
 */
export interface Api {
  accounts(call?: Call): Promise<Account[]>;
  containers(accountId: string, call?: Call): Promise<Container[]>;
  workspaces(container: ContainerPlace, call?: Call): Promise<Workspace[]>;
  workspace(place: Place, call?: Call): Promise<Workspace>;
  status(place: Place, call?: Call): Promise<WorkspaceStatus>;
  list(place: Place, kind: Kind, call?: Call): Promise<Definition[]>;
  builtInVariables(place: Place, call?: Call): Promise<Definition[]>;
  /** Nothing when the container was never published. */
  live(container: ContainerPlace, call?: Call): Promise<LiveVersion | undefined>;
  get(place: Place, kind: Kind, id: string, call?: Call): Promise<Definition>;
  create(place: Place, kind: Kind, body: Definition, call?: Call): Promise<Definition>;
  /** Only if the object still has that fingerprint; else a fault with the code `conflict`. */
  update(
    place: Place,
    kind: Kind,
    id: string,
    body: Definition,
    fingerprint: string,
    call?: Call,
  ): Promise<Definition>;
  delete(place: Place, kind: Kind, id: string, call?: Call): Promise<void>;
}

/** Of a tag, a trigger, a variable or a template. */
export function idOf(kind: Kind, object: Definition): string {
  return text(object[`${kind}Id`]);
}

export function nameOf(object: Definition): string {
  return text(object['name']);
}

export function fingerprintOf(object: Definition): string {
  return text(object['fingerprint']);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
