import { describe, expect, it } from 'vitest';
import type { RuleState, Verdict } from '../../server/rules/schema.ts';
import { nextState, raisesAlert } from '../../server/rules/state.ts';

const OF = '2026-01-31T12:00:00.000Z';

/** One letter for each cycle: f fires, q is quiet, s is skipped. */
const verdicts = (cycles: string) =>
  Array.from(cycles, (letter): Verdict => {
    const state = ({ f: 'fires', q: 'quiet', s: 'skipped' } as const)[letter] ?? 'quiet';
    return { state, value: null, expected: null, message: null };
  });

/** The states after each cycle; others are told at the first alert. */
function run(cycles: string, consecutive = 1) {
  let last: RuleState | undefined;
  return verdicts(cycles).map((verdict, cycle) => {
    const state = nextState(last, verdict, { of: OF, evaluatedAt: cycle });
    const alert = raisesAlert(state, { consecutive });
    if (alert) state.pushed ??= { at: cycle, to: 'a webhook' };
    last = state;
    return { ...state, alert };
  });
}

const alerts = (cycles: string, consecutive: number) =>
  run(cycles, consecutive)
    .map(({ alert }) => (alert ? '!' : '.'))
    .join('');

describe('a rule', () => {
  it.each([
    [1, 'fqffsf', '!.!!.!'],
    [2, 'ffffqf', '.!!!..'],
    [3, 'ffqfffff', '.....!!!'],
    [3, 'ffsfff', '...!!!'],
    [2, 'fsfsf', '..!.!'],
    [2, 'fsqsf', '.....'],
    [3, 'ff', '..'],
    [100, 'f'.repeat(101), `${'.'.repeat(99)}!!`],
    [1, 'qsqs', '....'],
  ])('with %d in a row over %s raises %s', (consecutive, cycles, expected) => {
    expect(alerts(cycles, consecutive)).toBe(expected);
  });

  it('counts the cycles in a row in which it fired, over those that could not be judged', () => {
    expect(run('fffqffsf').map(({ streak }) => streak)).toEqual([1, 2, 3, 0, 1, 2, 2, 3]);
  });

  it('remembers when others were told until it is quiet, not while it is skipped', () => {
    expect(run('qfffssfqf').map(({ pushed }) => pushed?.at ?? null)).toEqual([
      ...[null, 1, 1, 1, 1, 1, 1],
      ...[null, 8],
    ]);
  });

  it('keeps when others were told apart from when it raises', () => {
    expect(run('ffqff', 2).map(({ pushed }) => pushed?.at ?? null)).toEqual([
      null,
      1,
      null,
      null,
      4,
    ]);
  });

  it('shows its last cycle', () => {
    const [verdict] = verdicts('s') as [Verdict];
    const state = nextState(undefined, verdict, { of: OF, evaluatedAt: 7 });
    expect(state).toEqual({ of: OF, evaluatedAt: 7, verdict, streak: 0, pushed: null });
  });

  it('does not change what it was before', () => {
    const [fires] = verdicts('f') as [Verdict];
    const before = Object.freeze(nextState(undefined, fires, { of: OF, evaluatedAt: 1 }));
    expect(nextState(before, fires, { of: OF, evaluatedAt: 2 }).streak).toBe(2);
    expect(before.streak).toBe(1);
  });
});
