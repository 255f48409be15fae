import type { Chosen } from '../connection/schema.ts';
import type { Whereabouts } from './store.ts';

export const whereaboutsOf = (chosen: Chosen): Whereabouts => ({
  container: chosen.container_id,
  workspaceId: chosen.workspace_id,
  workspaceName: chosen.workspace_name,
});

/** One that was published lives on under its name, one that was renamed under its id. */
export function isIn({ container, workspaceId, workspaceName }: Whereabouts, now: Chosen): boolean {
  if (container !== now.container_id) return false;
  if (workspaceId === null) return true;
  return workspaceId === now.workspace_id || workspaceName === now.workspace_name;
}
