import type { RuleStore } from '../rules/store.ts';
import type { HistoryStore } from './history-store.ts';
import { QUARTER, quarterOf } from '../rules/quarter.ts';
import type { HistoryQuery, RuleStates, StatesQuery } from './schema.ts';

const HOUR = 60 * 60_000;
/** The windows of a cycle that was asked for by hand end a moment after it was asked for. */
const A_MOMENT = 2;

/** What the cycles of late found about the rules that there still are. */
export function createHistory({ store, rules }: { store: HistoryStore; rules: RuleStore }) {
  const idsOf = (tenantId: string) => rules.list(tenantId, {}).map(({ id }) => id);

  return {
    /** As JSON. */
    points(tenantId: string, query: HistoryQuery, now: number): Promise<string> {
      const ids = idsOf(tenantId);
      const asked = ids.filter((id) => query.rule_id === undefined || id === query.rule_id);
      return store.of(tenantId, asked, { from: now - query.hours * HOUR, to: now + A_MOMENT });
    },

    /** Up to and with the quarter of an hour that is running. */
    async states(tenantId: string, { hours }: StatesQuery, now: number): Promise<RuleStates> {
      const length = (hours * HOUR) / QUARTER;
      const to = quarterOf(now + A_MOMENT) + QUARTER;
      const from = to - length * QUARTER;
      const found = await store.lettersOf(tenantId, idsOf(tenantId), { from, to });
      const rules = found.map(({ rule, quarters, letters }) => {
        const states = Array.from({ length }, () => '-');
        quarters.forEach((quarter, i) => (states[quarter] = letters[i] ?? '-'));
        return { rule_id: rule, states: states.join('') };
      });
      return { from: new Date(from).toISOString(), rules };
    },
  };
}

export type History = ReturnType<typeof createHistory>;
