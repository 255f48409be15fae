import type { Chosen } from '$server/tagmanager/connection/schema.ts';

/* Addresses at Google. They are only ever links: Vedette's pages ask nothing there. */

const CLOUD = 'https://console.cloud.google.com';

export const google = {
  newProject: `${CLOUD}/projectcreate`,
  api: `${CLOUD}/apis/library/tagmanager.googleapis.com`,
  auth: `${CLOUD}/auth/overview`,
  audience: `${CLOUD}/auth/audience`,
  clients: `${CLOUD}/auth/clients`,
  grants: 'https://myaccount.google.com/connections',
  tagManager: 'https://tagmanager.google.com/',
};

/** The workspace as the tag manager itself shows it, where it is published. */
export function workspaceUrl(of: Chosen): string {
  const { account_id, container_id, workspace_id } = of;
  return `${google.tagManager}#/container/accounts/${account_id}/containers/${container_id}/workspaces/${workspace_id}`;
}
