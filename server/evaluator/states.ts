import type { RuleState } from '../rules/schema.ts';
import type { Rule, RuleStore } from '../rules/store.ts';
import type { EvaluatorStore, StateRow } from './store.ts';

/** What each rule came to in its last cycle, in memory as it is in the database. */
export async function openStates({ store, rules }: { store: EvaluatorStore; rules: RuleStore }) {
  const states = await store.states();

  return {
    /** Nothing when the rule was another one when it was last judged. */
    get({ id, revised_at }: Pick<Rule, 'id' | 'revised_at'>): RuleState | undefined {
      const state = states.get(id);
      return state?.of === revised_at ? state : undefined;
    },
    remember(rows: readonly StateRow[], goneIds: readonly string[]): void {
      for (const { ruleId, state } of rows) states.set(ruleId, state);
      for (const id of goneIds) states.delete(id);
    },
    /** Of rules that were deleted. */
    gone(): string[] {
      const present = new Set(rules.all().map(({ id }) => id));
      return [...states.keys()].filter((id) => !present.has(id));
    },
  };
}

export type States = Awaited<ReturnType<typeof openStates>>;
