import type { Api, Place, Workspace } from '../api/api.ts';
import type { Chosen, FaultView } from '../connection/schema.ts';
import type { TagManagerFault } from '../faults.ts';

/** What a snapshot needs of the connection. */
export interface ConnectionPart {
  /** Throws the fault `not_connected`. */
  apiFor: (tenantId: string) => Api;
  /** Throws the fault `nothing_chosen`. */
  chosen: (tenantId: string) => Chosen;
  placeOf: (chosen: Chosen) => Place;
  /** Another workspace has taken the name of the chosen one, or that has got another name. */
  moved: (tenantId: string, workspace: Workspace) => unknown;
  report: (tenantId: string, fault: TagManagerFault) => unknown;
  cleared: (tenantId: string) => unknown;
  /** What keeps the container from being read, until it is put right. */
  standsInTheWay: (tenantId: string) => FaultView | null;
}
