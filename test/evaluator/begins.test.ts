import { expect, it } from 'vitest';
import type { RuleState } from '../../server/rules/schema.ts';
import { beginsAlerts, nextState } from '../../server/rules/state.ts';

const STATES = { f: 'fires', q: 'quiet', s: 'skipped' } as const;

/** One letter for each cycle; `B` where alerts begin. */
function beginnings(cycles: string, consecutive: number): string {
  let last: RuleState | undefined;
  return Array.from(cycles, (letter, cycle) => {
    const state = STATES[letter as keyof typeof STATES];
    const verdict = { state, value: null, expected: null, message: null };
    last = nextState(last, verdict, { of: 'a rule', evaluatedAt: cycle });
    return beginsAlerts(last, { consecutive }) ? 'B' : '.';
  }).join('');
}

it.each([
  [1, 'fffqff', 'B...B.'],
  [1, 'fsfsqsf', 'B.....B'],
  [2, 'fffqfff', '.B...B.'],
  [2, 'fsfsf', '..B..'],
  [2, 'ffssf', '.B...'],
  [3, 'ffqff', '.....'],
])(
  'with %d in a row over %s alerts begin once until it is quiet: %s',
  (consecutive, cycles, expected) => {
    expect(beginnings(cycles, consecutive)).toBe(expected);
  },
);
