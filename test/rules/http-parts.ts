import type { StartOptions } from '../../server/appliance.ts';
import type { RuleView } from '../../server/rules/schema.ts';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import type { TestAppliance } from '../helpers/appliance.ts';
import { monitoredTenant } from '../helpers/monitored.ts';
import { freshTenant } from '../helpers/tenant.ts';

export const UNKNOWN = '4f9d7f5e-6f3f-4b8e-9a53-0d4f4a0f9a11';

export const CONFIGS = {
  threshold: {
    ...{ event_type: 'purchase', operator: '<', value: 1, window_minutes: 60 },
    severity: 'critical',
  },
  missing_field: { event_type: 'purchase', required_fields: ['value'], severity: 'warning' },
  volume: {
    ...{ event_type: 'page_view', threshold_percent: -50, current_window_minutes: 60 },
    ...{ comparison_window_hours: 24, severity: 'info' },
  },
};

export type Type = keyof typeof CONFIGS;

/** The body that makes a rule, with some of it or of its config as given. */
export const draft = (type: Type, config: object = {}, more: object = {}) => ({
  name: 'A rule',
  rule_type: type,
  config: { ...CONFIGS[type], ...config },
  ...more,
});

export interface Refusal {
  detail: string;
  errors: { path: string; message: string }[];
}

/** What asks about rules, and makes them, with the key of a tenant. */
function asking({ app }: Pick<TestAppliance, 'app'>, own: string) {
  const ask = (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    payload?: unknown,
    key = own,
  ) =>
    app.inject({
      ...{ method, url: `/api/v1/rules${path}` },
      headers: { 'x-api-key': key, ...(payload !== undefined && JSON_TYPE) },
      ...(payload !== undefined && { payload: JSON.stringify(payload) }),
    });

  return {
    ask,

    async make(body: object, key = own): Promise<RuleView> {
      const answer = await ask('POST', '/', body, key);
      if (answer.statusCode !== 201) throw new Error(answer.body);
      return answer.json<RuleView>();
    },

    names: async (query = '') =>
      (await ask('GET', `/${query}`)).json<RuleView[]>().map(({ name }) => name),

    /** What is said against a body, as one line for each error. */
    async refusals(body: unknown, method: 'POST' | 'PATCH' = 'POST', path = '/') {
      const answer = await ask(method, path, body);
      if (answer.statusCode !== 422) return [`${answer.statusCode}`];
      const { errors } = answer.json<Refusal>();
      return errors.map(({ path: place, message }) => `${place}: ${message}`.trim());
    },
  };
}

/** A tenant without rules, and ways to ask about them. */
export async function rulesOfTenant() {
  const tenant = await freshTenant();
  return { ...tenant, ...asking(tenant, tenant.key) };
}

/** The same on a clock that stands until it is moved. */
export async function rulesInTime() {
  const tenant = await monitoredTenant();
  return { ...tenant, ...asking(tenant, tenant.key) };
}

/** The same of an appliance of its own. */
export async function startRules(options: Partial<StartOptions>) {
  const vedette = await startAppliance(options);
  return { ...vedette, ...asking(vedette, KEY) };
}

const JSON_TYPE = { 'content-type': 'application/json' };
