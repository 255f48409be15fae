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
