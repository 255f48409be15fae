import type { ConnectionView, FaultCode } from '$server/tagmanager/connection/schema.ts';

/** What a person can do about a fault, each with a button of its own. */
export type Way = 'connect' | 'client' | 'choose' | 'snapshot' | 'changes' | 'api';

const WAYS: Record<FaultCode, readonly Way[]> = {
  denied: ['connect'],
  cancelled: ['connect'],
  timed_out: ['connect'],
  code_refused: ['connect'],
  access_failed: ['connect'],
  wrong_client: ['client'],
  missing_scope: ['connect'],
  no_refresh_token: ['connect'],
  no_accounts: ['connect'],
  not_connected: ['connect'],
  nothing_chosen: ['choose'],
  grant_ended: ['connect'],
  tokens_unreadable: ['snapshot', 'connect'],
  wrong_account: ['connect', 'choose'],
  no_permission: ['snapshot', 'choose', 'connect'],
  api_disabled: ['api', 'snapshot'],
  workspace_gone: ['choose'],
  not_found: ['snapshot', 'choose'],
  conflict: ['changes'],
  refused: ['changes'],
  quota_day: ['snapshot'],
  quota: ['snapshot'],
  unreachable: ['snapshot'],
  stopped: ['snapshot'],
};

/** The likeliest first; only those that can be taken as things stand. */
export function waysOf(code: FaultCode, view: ConnectionView): Way[] {
  return WAYS[code].filter((way) => {
    if (way === 'snapshot') return view.chosen !== null && view.state === 'connected' && !view.job;
    if (way === 'choose') return view.chosen !== null && view.state === 'connected';
    if (way === 'connect') return view.state !== 'waiting' && view.client.id !== null;
    return true;
  });
}

/** What the person did themselves is news, not trouble. */
export const isOwnDoing = (code: FaultCode): boolean =>
  code === 'cancelled' || code === 'stopped' || code === 'denied' || code === 'timed_out';
