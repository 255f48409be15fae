import type { RuleState, Verdict } from './schema.ts';

export function nextState(
  previous: RuleState | undefined,
  verdict: Verdict,
  { of, evaluatedAt }: Pick<RuleState, 'of' | 'evaluatedAt'>,
): RuleState {
  return {
    of,
    evaluatedAt,
    verdict,
    streak: streakAfter(previous?.streak ?? 0, verdict),
    pushed: verdict.state === 'quiet' ? null : (previous?.pushed ?? null),
  };
}

/** What could not be judged has neither gone on nor ended. */
function streakAfter(streak: number, { state }: Verdict): number {
  if (state === 'skipped') return streak;
  return state === 'fires' ? streak + 1 : 0;
}

export function raisesAlert(
  { verdict, streak }: RuleState,
  { consecutive }: { consecutive: number },
): boolean {
  return verdict.state === 'fires' && streak >= consecutive;
}

/** The first alert since the rule was quiet, or since it became another rule. */
export function beginsAlerts(state: RuleState, rule: { consecutive: number }): boolean {
  return raisesAlert(state, rule) && state.streak === rule.consecutive;
}
