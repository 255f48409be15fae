import type { TimeRange } from '$server/http/schema.ts';
import type { AlertGroup } from '$server/alerts/schema.ts';
import type { RuleType, Severity } from '$server/rules/schema.ts';
import { TYPE_WORDS } from '../../lib/rule-words.ts';
import { listed } from '../../lib/words.ts';

export type Status = AlertGroup['status'] | 'all';

/** What the address says, as far as it can be understood; the rest is left aside. */
export interface View {
  by: 'rule' | 'alert';
  range: TimeRange;
  filter: AlertsFilter;
}

/** Named as the API names them. */
export interface AlertsFilter {
  status: Status;
  severity: Severity | undefined;
  rule_type: RuleType | undefined;
  source: string | undefined;
  tag: string | undefined;
  category: string | undefined;
  rule_id: string | undefined;
  since: string | undefined;
  until: string | undefined;
}

const STATUSES: readonly Status[] = ['open', 'acknowledged', 'resolved', 'all'];
const SEVERITIES: readonly Severity[] = ['critical', 'warning', 'info'];
const TYPES: readonly RuleType[] = ['threshold', 'missing_field', 'volume'];
const RANGES: readonly TimeRange[] = ['1h', '24h', '7d', '30d'];
const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export function viewOf(query: URLSearchParams): View {
  const text = (name: string) => query.get(name) || undefined;
  const among = <Word extends string>(name: string, words: readonly Word[]) =>
    words.find((word) => word === query.get(name));
  const moment = (name: string) => {
    const at = Date.parse(text(name) ?? '');
    return Number.isNaN(at) ? undefined : new Date(at).toISOString();
  };
  return {
    by: query.get('view') === 'single' ? 'alert' : 'rule',
    range: among('range', RANGES) ?? '7d',
    filter: {
      status: among('status', STATUSES) ?? 'open',
      severity: among('severity', SEVERITIES),
      rule_type: among('rule_type', TYPES),
      source: text('source'),
      tag: text('tag'),
      category: text('category'),
      rule_id: ID.test(text('rule_id') ?? '') ? text('rule_id') : undefined,
      since: moment('since'),
      until: moment('until'),
    },
  };
}

/** Whether something besides the status keeps alerts away. */
export function isNarrowed(filter: AlertsFilter): boolean {
  return Object.entries(filter).some(([name, value]) => name !== 'status' && value !== undefined);
}

/** tag urgent and source web: what keeps alerts away, as people call it. */
export function narrowedBy(filter: AlertsFilter): string {
  const { severity, rule_type: type, source, tag, category, rule_id: rule } = filter;
  const words: [string | undefined, string][] = [
    [severity, `severity ${severity}`],
    [type, `kind of rule ${type && TYPE_WORDS[type].toLowerCase()}`],
    [source, `source ${source}`],
    [tag, `tag ${tag}`],
    [category, `category ${category}`],
    [rule, 'one rule'],
    [filter.since ?? filter.until, 'the time chosen'],
  ];
  return listed(words.flatMap(([value, text]) => (value === undefined ? [] : [text])));
}

/** Takes everything away that narrows; for `router.setQuery`. */
export const WIDE = {
  ...{ severity: null, rule_type: null, source: null, tag: null },
  ...{ category: null, rule_id: null, since: null, until: null },
};
