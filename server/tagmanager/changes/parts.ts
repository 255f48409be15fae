import type { Api, Place, Workspace } from '../api/api.ts';
import type { Definition, Kind } from '../api/schema.ts';
import type { Chosen } from '../connection/schema.ts';
import type { TagManagerFault } from '../faults.ts';
import type { FieldDifference, SnapshotView } from '../snapshot/schema.ts';

/** What changes need of the connection. */
export interface ConnectionPart {
  /** Throws the fault `not_connected`. */
  apiFor: (tenantId: string) => Api;
  /** Throws the fault `nothing_chosen`. */
  chosen: (tenantId: string) => Chosen;
  placeOf: (chosen: Chosen) => Place;
  mayEdit: (tenantId: string) => boolean;
  /** The workspace was published, and another of its name has taken its place. */
  moved: (tenantId: string, workspace: Workspace) => unknown;
  report: (tenantId: string, fault: TagManagerFault) => unknown;
  cleared: (tenantId: string) => unknown;
}

export interface Newest {
  view: SnapshotView;
  objects: Record<Kind, Definition[]>;
}

export interface SnapshotsPart {
  newest: (tenantId: string) => Promise<Newest | undefined>;
  begin: (tenantId: string) => unknown;
}

/** Two versions of an object, field by field in words. */
export type DifferenceOf = (
  kind: Kind,
  before: Definition | null,
  after: Definition | null,
  names: (kind: Kind, id: string) => string | undefined,
) => FieldDifference[];
