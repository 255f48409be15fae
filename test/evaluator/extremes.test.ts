import { expect, it } from 'vitest';
import { MINUTE, monitoredTenant } from '../helpers/monitored.ts';

const COMMON = { event_type: 'purchase', severity: 'info' };

it('windows that are next to nothing leave the list of rules readable', async () => {
  await using vedette = await monitoredTenant();
  const tiny = { current_window_minutes: 1e-9, comparison_window_hours: 1e-9 };
  for (const baseline of ['average', 'previous', 'seasonal']) {
    const config = { ...COMMON, ...tiny, threshold_percent: -50, min_baseline_events: 0, baseline };
    await vedette.rule('volume', config);
  }
  await vedette.rule('threshold', { ...COMMON, operator: '<', value: 1, window_minutes: 1e-300 });
  await vedette.pass(MINUTE);
  expect((await vedette.call('POST', '/evaluations')).statusCode).toBe(201);
  expect((await vedette.call('GET', '/rules')).statusCode).toBe(200);
});

it('numbers that add up to more than there is keep their rules and others judged', async () => {
  await using vedette = await monitoredTenant();
  const sum = { ...COMMON, field: 'sum:value', operator: '>', window_minutes: 60, value: 10 };
  await vedette.rule('threshold', sum);
  await vedette.rule('missing_field', { ...COMMON, required_fields: ['order_id'] });
  await vedette.send('purchase', 2, { value: 1.7e308 });
  expect(await vedette.evaluate()).toMatchObject({ fired: 2, alerts: 2, skipped: [] });
  const preview = await vedette.call('POST', '/rules/preview', {
    rule_type: 'threshold',
    config: sum,
  });
  expect(preview.statusCode).toBe(200);
});

it('a field that no event has is skipped and not taken for 0, until there are no events at all', async () => {
  await using vedette = await monitoredTenant();
  const config = { ...COMMON, operator: '<', value: 10, window_minutes: 10 };
  for (const field of ['sum:value', 'unique:user_id']) {
    await vedette.rule('threshold', { ...config, field });
  }
  await vedette.pass(10 * MINUTE);
  await vedette.send('purchase', 2, { value: 'free' });
  const { fired, skipped } = await vedette.evaluate();
  expect(fired).toBe(0);
  expect(skipped.map(({ reason }) => reason).sort()).toEqual([
    'no purchase event had a number for sum:value',
    'no purchase event had a value for unique:user_id',
  ]);
  await vedette.pass(11 * MINUTE);
  expect(await vedette.evaluate()).toMatchObject({ fired: 2, skipped: [] });
});

it('what adding up leaves in digits makes no sum larger than it is', async () => {
  await using vedette = await monitoredTenant();
  const config = { ...COMMON, field: 'sum:value', window_minutes: 60 };
  await vedette.rule('threshold', { ...config, operator: '>', value: 0.3 });
  await vedette.rule('threshold', { ...config, operator: '>=', value: 0.3 });
  await vedette.send('purchase', 1, { value: 0.1 });
  await vedette.send('purchase', 1, { value: 0.2 });
  await vedette.evaluate();
  const messages = (await vedette.alerts()).map(({ message }) => message);
  expect(messages).toEqual(['Threshold exceeded: 0.3 >= 0.3 in 60 min window']);
});

it('half of a character is refused where it would spoil the questions of others', async () => {
  await using vedette = await monitoredTenant();
  const config = { ...COMMON, event_type: '\ud800', operator: '>', value: 0, window_minutes: 5 };
  const body = { name: 'p', rule_type: 'threshold', config };
  const answer = await vedette.call('POST', '/rules', body);
  expect(answer.statusCode).toBe(422);
  expect(answer.json()).toMatchObject({
    errors: [{ path: 'config.event_type', message: 'must not have half of a character' }],
  });
});

it('an id is found in capital letters too', async () => {
  await using vedette = await monitoredTenant();
  const { id } = await vedette.rule('missing_field', { ...COMMON, required_fields: ['a'] });
  expect((await vedette.call('GET', `/rules/${id.toUpperCase()}`)).json()).toMatchObject({ id });
});
