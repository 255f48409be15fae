import type { RuleView, Severity } from '$server/rules/schema.ts';
import { boundWords, describeRule } from '../../lib/rule-words.ts';
import { measured, roughly } from '../../lib/words.ts';

export type RuleStateName = 'fires' | 'quiet' | 'skipped' | 'waiting' | 'paused';

export const STATE_WORDS: Record<RuleStateName, string> = {
  fires: 'Fires',
  quiet: 'Quiet',
  skipped: 'Not judged',
  waiting: 'Not checked yet',
  paused: 'Paused',
};

export function stateOf(rule: RuleView): RuleStateName {
  return rule.is_active ? (rule.last_verdict?.state ?? 'waiting') : 'paused';
}

/** The mark that stands for it; what fires looks as grave as it is. */
export function markOf(rule: RuleView) {
  const state = stateOf(rule);
  if (state === 'fires') return rule.config.severity;
  return state === 'quiet' ? 'healthy' : state;
}

/** What was found: 0, 18.5 expected; or why nothing could be said. */
export function verdictWords({ last_verdict: verdict, config, ...rule }: RuleView): string {
  if (!verdict || !rule.is_active) return '';
  if (verdict.state === 'skipped') return verdict.message ?? '';
  if (verdict.value === null) return '';
  const value = measured(verdict.value);
  if (verdict.expected !== null) return `${value}, ${roughly(verdict.expected)} expected`;
  if ('operator' in config) return `${value}, fires ${boundWords(config)}`;
  return verdict.value === 0 ? 'nothing missing' : `missing in up to ${value}`;
}

export interface RuleFilter {
  text: string;
  type: string;
  severity: string;
  state: string;
  tag: string;
  category: string;
}

export const FILTERS = ['text', 'type', 'severity', 'state', 'tag', 'category'] as const;

export function filterOf(query: URLSearchParams): RuleFilter {
  const of = (name: string) => query.get(name) ?? '';
  return {
    text: of('text'),
    type: of('type'),
    severity: of('severity'),
    state: of('state'),
    tag: of('tag'),
    category: of('category'),
  };
}

export function matches(rule: RuleView, filter: RuleFilter): boolean {
  const { text, type, severity, state, tag, category } = filter;
  return (
    (type === '' || rule.rule_type === type) &&
    (severity === '' || rule.config.severity === severity) &&
    (state === '' || stateOf(rule) === state) &&
    (tag === '' || rule.tags.includes(tag)) &&
    (category === '' || rule.category === category) &&
    (text === '' || textOf(rule).includes(text.toLowerCase()))
  );
}

const textOf = (rule: RuleView) =>
  [rule.name, describeRule(rule), rule.category ?? '', ...rule.tags].join('\n').toLowerCase();

const GRAVITY: Record<Severity, number> = { critical: 0, warning: 1, info: 2 };
const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** What fires comes first, the gravest of it at the top; all else by name. */
export function sorted(rules: readonly RuleView[]): RuleView[] {
  const rank = (rule: RuleView) =>
    stateOf(rule) === 'fires' ? GRAVITY[rule.config.severity] : Number.POSITIVE_INFINITY;
  return [...rules].sort((a, b) => {
    const [first, second] = [rank(a), rank(b)];
    return first === second ? order.compare(a.name, b.name) : first - second;
  });
}

/** Every tag there is, and every category, by name. */
export const tagsOf = (rules: readonly RuleView[]): string[] =>
  [...new Set(rules.flatMap((rule) => rule.tags))].sort(order.compare);
export const categoriesOf = (rules: readonly RuleView[]): string[] =>
  [...new Set(rules.flatMap((rule) => rule.category ?? []))].sort(order.compare);
