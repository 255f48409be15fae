import type { Alert } from '../../../server/alerts/schema.ts';
import type { Evaluation } from '../../../server/evaluator/schema.ts';
import type { RuleView } from '../../../server/rules/schema.ts';
import { KEY } from '../appliance.ts';

/** What others in the network do with the appliance behind the window. */
export function callsTo(url: string) {
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        'x-api-key': KEY,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text && JSON.parse(text)) as T;
  }

  return {
    call,
    send: (event_type: string, count = 1, data: object = {}) =>
      call('POST', '/events', Array(count).fill({ source: 'shop', event_type, data })),
    /** A rule that fires as soon as more than so many of these came within an hour. */
    rule: (name: string, event_type: string, severity = 'critical', value = 0) =>
      call<RuleView>('POST', '/rules', {
        name,
        rule_type: 'threshold',
        config: { event_type, operator: '>', value, window_minutes: 60, severity },
      }),
    evaluate: () => call<Evaluation>('POST', '/evaluations'),
    alerts: () => call<Alert[]>('GET', '/alerts'),
  };
}
