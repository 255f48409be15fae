import type { Alert } from '../../server/alerts/schema.ts';
import { KEY } from './appliance.ts';

/** What was acknowledged beside events. */
export type Change =
  | { kind: 'rule'; id: string }
  | { kind: 'alert'; id: string; flag: 'is_acknowledged' | 'is_resolved' };

const ANSWER_WITHIN_MS = 10_000;

async function call<T>(url: string, method: 'GET' | 'POST', at: string, body?: object): Promise<T> {
  const answer = await fetch(`${url}/api/v1${at}`, {
    method,
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
  });
  if (!answer.ok) throw new Error(`${at}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Makes a rule that fires whenever it is judged. */
export async function makeRule(url: string): Promise<Change> {
  const config = { event_type: 'type-0', operator: '>=', value: 0, window_minutes: 60 };
  const { id } = await call<{ id: string }>(url, 'POST', '/rules', {
    ...{ name: 'Always', rule_type: 'threshold', config: { ...config, severity: 'info' } },
  });
  return { kind: 'rule', id };
}

/** Has the rules judged, and acknowledges or resolves an alert that comes of it. */
export async function changeAlert(url: string, flag: 'is_acknowledged' | 'is_resolved') {
  await call(url, 'POST', '/evaluations');
  const [alert] = await call<Alert[]>(url, 'GET', '/alerts?limit=1');
  const id = alert?.id ?? '';
  await call(url, 'POST', `/alerts/${id}/${flag === 'is_resolved' ? 'resolve' : 'acknowledge'}`);
  return { kind: 'alert', id, flag } satisfies Change;
}

/** Those of these changes that an appliance knows nothing of. */
export async function lostChanges(url: string, known: readonly Change[]): Promise<Change[]> {
  const alerts = await call<Alert[]>(url, 'GET', '/alerts?limit=1000');
  const rules = await call<{ id: string }[]>(url, 'GET', '/rules?limit=1000');
  return known.filter((one) =>
    one.kind === 'rule'
      ? !rules.some(({ id }) => id === one.id)
      : !alerts.some((alert) => alert.id === one.id && alert[one.flag]),
  );
}
