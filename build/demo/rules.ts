import { newRule } from '../../server/rules/schema.ts';
import type { NewRule } from '../../server/rules/schema.ts';

interface Watched {
  /** When somebody thought of it. */
  daysAgo: number;
  rule: NewRule;
}

/** A seasonal baseline looks at weeks; hours must be given all the same. */
const SEASONAL = { baseline: 'seasonal', comparison_window_hours: 168, beyond_chance: true };

/** What an analyst of this shop has set up, the oldest first. */
export const RULES: readonly Watched[] = [
  watched(33, 'Purchases stopped', 'threshold', ['checkout', 'revenue'], 'Revenue', {
    ...{ event_type: 'purchase', source: 'gtm', operator: '<', value: 1, window_minutes: 60 },
    severity: 'critical',
  }),
  watched(33, 'Orders stopped in the backend', 'threshold', ['checkout'], 'Revenue', {
    ...{ event_type: 'purchase', source: 'backend', operator: '<', value: 1 },
    ...{ window_minutes: 90, severity: 'critical' },
  }),
  watched(33, 'Purchases without a transaction id', 'missing_field', ['checkout'], 'Data quality', {
    event_type: 'purchase',
    required_fields: ['ecommerce.transaction_id'],
    severity: 'critical',
  }),
  watched(
    33,
    'Purchases without value or currency',
    'missing_field',
    ['checkout'],
    'Data quality',
    {
      event_type: 'purchase',
      required_fields: ['ecommerce.value', 'ecommerce.currency', 'ecommerce.items'],
      severity: 'warning',
    },
  ),
  watched(33, 'Add to cart without items', 'missing_field', ['shop'], 'Data quality', {
    event_type: 'add_to_cart',
    required_fields: ['ecommerce.items', 'ecommerce.value'],
    severity: 'warning',
  }),
  watched(32, 'Page views against the usual day', 'volume', ['traffic'], 'Traffic', {
    ...{ event_type: 'page_view', threshold_percent: -50, current_window_minutes: 60 },
    ...{ ...SEASONAL, severity: 'warning' },
  }),
  watched(32, 'Add to cart above the usual day', 'volume', ['shop', 'tags'], 'Traffic', {
    ...{ event_type: 'add_to_cart', threshold_percent: 50, current_window_minutes: 90 },
    ...{ ...SEASONAL, severity: 'warning' },
  }),
  watched(32, 'Checkouts against last week', 'volume', ['checkout'], 'Traffic', {
    ...{ event_type: 'begin_checkout', threshold_percent: -60, current_window_minutes: 180 },
    ...{ comparison_window_hours: 168, baseline: 'previous', beyond_chance: true },
    severity: 'warning',
  }),
  watched(31, 'Sign-ups drop', 'volume', ['crm'], 'CRM', {
    ...{ event_type: 'sign_up', threshold_percent: -50, current_window_minutes: 1440 },
    ...{ comparison_window_hours: 168, beyond_chance: true, severity: 'info' },
  }),
  watched(31, 'Payment failures', 'threshold', ['payment'], 'Revenue', {
    ...{ event_type: 'payment_failed', operator: '>', value: 5, window_minutes: 60 },
    severity: 'warning',
  }),
  watched(31, 'Average order value', 'threshold', ['revenue'], 'Revenue', {
    ...{ event_type: 'purchase', source: 'backend', field: 'avg:ecommerce.value', operator: '<' },
    ...{ value: 75, window_minutes: 360, consecutive: 4, severity: 'info' },
  }),
  watched(24, 'App crashes', 'threshold', ['app'], 'App', {
    ...{ event_type: 'crash', source: 'app', operator: '>=', value: 5, window_minutes: 60 },
    severity: 'warning',
  }),
];

/** Set up and switched off again. */
export const PAUSED: NewRule = {
  ...watched(0, 'Newsletter clicks drop', 'volume', ['crm'], 'CRM', {
    ...{ event_type: 'click', threshold_percent: -70, current_window_minutes: 240 },
    ...{ comparison_window_hours: 48, severity: 'info' },
  }).rule,
  is_active: false,
};

function watched(
  daysAgo: number,
  name: string,
  rule_type: NewRule['rule_type'],
  tags: string[],
  category: string,
  config: object,
): Watched {
  return { daysAgo, rule: newRule.parse({ name, rule_type, tags, category, config }) };
}
