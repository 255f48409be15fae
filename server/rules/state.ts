import type { Verdict } from './schema.ts';

/** What is remembered of a rule from one cycle to the next. */
export interface RuleState {
  /** The `revised_at` of the rule that was judged. */
  of: string;
  evaluatedAt: number;
  verdict: Verdict;
  /** Cycles in a row in which it fired. */
  streak: number;
  /** When others were last told of it, for as long as it has not gone quiet. */
  pushedAt: number | null;
}

export function nextState(
  previous: RuleState | undefined,
  verdict: Verdict,
  { of, evaluatedAt }: Pick<RuleState, 'of' | 'evaluatedAt'>,
): RuleState {
  return {
    of,
    evaluatedAt,
    verdict,
    streak: verdict.state === 'fires' ? (previous?.streak ?? 0) + 1 : 0,
    // What could not be judged has not ended.
    pushedAt: verdict.state === 'quiet' ? null : (previous?.pushedAt ?? null),
  };
}

export function raisesAlert(
  { verdict, streak }: RuleState,
  { consecutive }: { consecutive: number },
): boolean {
  return verdict.state === 'fires' && streak >= consecutive;
}
