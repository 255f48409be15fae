import { newRule } from '../../../server/rules/schema.ts';
import type { NewRule } from '../../../server/rules/schema.ts';

const rule = (name: string, rule_type: string, config: object): NewRule =>
  newRule.parse({ name, rule_type, config });

const threshold = (name: string, config: object) => rule(name, 'threshold', config);
const volume = (name: string, config: object) => rule(name, 'volume', config);

/** Hours that a seasonal baseline does not look at, but that must be given. */
const WEEK = { comparison_window_hours: 168 };
const DAY_MINUTES = 1440;

/** What an analyst of this shop would have set up, without knowing what will happen. */
export const RULES: readonly NewRule[] = [
  threshold('Page views stopped', {
    ...{ event_type: 'page_view', operator: '<', value: 10, window_minutes: 30 },
    severity: 'critical',
  }),
  threshold('Carts stopped', {
    ...{ event_type: 'add_to_cart', source: 'gtm', operator: '<', value: 1, window_minutes: 60 },
    severity: 'critical',
  }),
  threshold('Checkouts stopped', {
    ...{ event_type: 'begin_checkout', operator: '<', value: 1, window_minutes: 120 },
    severity: 'critical',
  }),
  threshold('Purchases stopped', {
    ...{ event_type: 'purchase', operator: '<', value: 1, window_minutes: 180 },
    severity: 'critical',
  }),
  threshold('Few different orders', {
    ...{ event_type: 'purchase', field: 'unique:order_id', operator: '<', value: 3 },
    ...{ window_minutes: 360, consecutive: 2, severity: 'warning' },
  }),
  threshold('Little turnover', {
    ...{ event_type: 'purchase', field: 'sum:value', operator: '<', value: 200 },
    ...{ window_minutes: 360, severity: 'warning' },
  }),
  threshold('Page view flood', {
    ...{ event_type: 'page_view', operator: '>', value: 1200, window_minutes: 60 },
    ...{ consecutive: 2, severity: 'warning' },
  }),
  rule('Purchases lack fields', 'missing_field', {
    event_type: 'purchase',
    required_fields: ['order_id', 'value', 'currency', 'items'],
    severity: 'critical',
  }),
  rule('Carts lack fields', 'missing_field', {
    event_type: 'add_to_cart',
    ...{ required_fields: ['value', 'currency', 'items'], severity: 'warning' },
  }),
  volume('Page views drop', {
    ...{ event_type: 'page_view', threshold_percent: -50, current_window_minutes: 60 },
    ...{ ...WEEK, baseline: 'seasonal', severity: 'critical' },
  }),
  volume('Page views rise', {
    ...{ event_type: 'page_view', threshold_percent: 60, current_window_minutes: 60 },
    ...{ ...WEEK, baseline: 'seasonal', consecutive: 2, severity: 'warning' },
  }),
  volume('Carts drop', {
    ...{ event_type: 'add_to_cart', threshold_percent: -60, current_window_minutes: 120 },
    ...{ ...WEEK, baseline: 'seasonal', beyond_chance: true, severity: 'warning' },
  }),
  volume('Purchases drop', {
    ...{ event_type: 'purchase', threshold_percent: -60, current_window_minutes: 240 },
    ...{ ...WEEK, baseline: 'seasonal', beyond_chance: true, severity: 'warning' },
  }),
  volume('Checkouts: day against last week', {
    ...{ event_type: 'begin_checkout', threshold_percent: -30, baseline: 'previous' },
    ...{ current_window_minutes: DAY_MINUTES, ...WEEK, beyond_chance: true, severity: 'warning' },
  }),
  volume('Checkouts: day against week', {
    ...{ event_type: 'begin_checkout', threshold_percent: -25, baseline: 'average' },
    ...{ current_window_minutes: DAY_MINUTES, ...WEEK, beyond_chance: true, severity: 'warning' },
  }),
  volume('Purchases against yesterday', {
    ...{ event_type: 'purchase', threshold_percent: -70, baseline: 'previous' },
    ...{
      current_window_minutes: 180,
      comparison_window_hours: 24,
      beyond_chance: true,
      severity: 'info',
    },
  }),
  volume('Page views rise, average', {
    ...{ event_type: 'page_view', threshold_percent: 100, baseline: 'average' },
    ...{ current_window_minutes: 60, comparison_window_hours: 24, severity: 'warning' },
  }),
  volume('Page views drop, as documented', {
    ...{ event_type: 'page_view', threshold_percent: -50, current_window_minutes: 60 },
    ...{ comparison_window_hours: 24, severity: 'warning' },
  }),
];
