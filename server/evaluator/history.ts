import type { RuleStore } from '../rules/store.ts';
import type { HistoryStore } from './history-store.ts';
import type { HistoryQuery } from './schema.ts';

const HOUR = 60 * 60_000;
/** The windows of a cycle that was asked for by hand end a moment after it was asked for. */
const A_MOMENT = 2;

/** What the cycles of late found about the rules that there still are; JSON. */
export function createHistory({ store, rules }: { store: HistoryStore; rules: RuleStore }) {
  return (tenantId: string, query: HistoryQuery, now: number): Promise<string> => {
    const ids = rules.list(tenantId, {}).map(({ id }) => id);
    const asked = ids.filter((id) => query.rule_id === undefined || id === query.rule_id);
    return store.of(tenantId, asked, { from: now - query.hours * HOUR, to: now + A_MOMENT });
  };
}

export type History = ReturnType<typeof createHistory>;
