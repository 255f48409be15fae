import { KEY } from './appliance.ts';
import type { TestAppliance } from './appliance.ts';
import { signIn } from './tenant.ts';
import { setWebhook } from './webhook.ts';

/** Markup that would run if any page took it for its own. */
export const HOSTILE =
  '<img src=x onerror="window.broken=1"><script>window.broken=1</script>"\'`${1}{{1}}</title>';

/** Fills every field that a stranger, or a hurried colleague, can fill, with markup. */
export async function fillWithMarkup(
  appliance: TestAppliance,
): Promise<{ rule: string; alert: string }> {
  const call = async <T>(
    method: 'POST' | 'PATCH' | 'GET',
    path: string,
    body?: object,
  ): Promise<T> => {
    const answer = await appliance.app.inject({
      ...{ method, url: `/api/v1${path}`, headers: { 'x-api-key': KEY } },
      ...(body && { payload: body }),
    });
    if (answer.statusCode >= 400) throw new Error(`${path}: ${answer.body}`);
    return answer.json<T>();
  };
  const name = HOSTILE.slice(0, 90);
  await call('PATCH', '/tenants/me', { name });
  await setWebhook(await signIn(appliance), {
    url: `http://127.0.0.1:9/${encodeURIComponent(HOSTILE)}`,
    headers: { 'X-Team': HOSTILE },
  });
  await call('POST', '/keys', { name, scope: 'ingest', allowed_domains: ['shop.example'] });
  await appliance.post(
    Array.from({ length: 30 }, (_, i) => ({
      source: HOSTILE,
      event_type: HOSTILE,
      data: { [HOSTILE]: HOSTILE, nested: { [`${HOSTILE}${i}`]: [HOSTILE] }, __proto__x: i },
    })),
  );
  await appliance.pixel(
    encodeURIComponent(
      JSON.stringify({
        source: HOSTILE,
        source_id: HOSTILE,
        events: [{ type: HOSTILE, timestamp: 1, data: {}, metadata: { page: HOSTILE } }],
      }),
    ),
  );
  await appliance.post([{ source: HOSTILE, event_type: HOSTILE }]);
  await appliance.post(HOSTILE);
  const rule = await call<{ id: string }>('POST', '/rules', {
    name: HOSTILE,
    rule_type: 'threshold',
    config: {
      event_type: HOSTILE,
      source: HOSTILE,
      operator: '>',
      value: 0,
      window_minutes: 60,
      severity: 'critical',
    },
    tags: [HOSTILE.slice(0, 50)],
    category: name,
  });
  await call('POST', '/rules', {
    name: HOSTILE,
    rule_type: 'missing_field',
    config: {
      event_type: HOSTILE,
      required_fields: [HOSTILE, `nested.${HOSTILE}`],
      severity: 'warning',
    },
  });
  await call('POST', '/evaluations');
  const [alert] = await call<{ id: string }[]>('GET', `/alerts?rule_id=${rule.id}`);
  if (!alert) throw new Error('No alert was made');
  await call('POST', `/alerts/${alert.id}/acknowledge`, { note: HOSTILE });
  return { rule: rule.id, alert: alert.id };
}
