import type { RuleHistory } from '$server/evaluator/schema.ts';
import type { RuleView } from '$server/rules/schema.ts';
import { api } from '$lib/api.ts';

type Context = { signal: AbortSignal };

/** One rule, asked for often enough to notice that somebody else changes it. */
export const readRule = (id: string) => ({
  queryKey: ['rules', 'one', id],
  queryFn: ({ signal }: Context) => api.get<RuleView>(`/rules/${id}`, {}, signal),
  enabled: id !== '',
  refetchInterval: 20_000,
});

export const readWeek = (id: string) => ({
  queryKey: ['rules', 'history', 168, id],
  queryFn: ({ signal }: Context) =>
    api.get<RuleHistory[]>('/rules/history', { hours: 168, rule_id: id }, signal),
  refetchInterval: 60_000,
});
