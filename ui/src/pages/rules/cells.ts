import type { RuleHistory } from '$server/evaluator/schema.ts';
import { QUARTER } from '../../lib/rule-chart.ts';
import { count, plural } from '../../lib/words.ts';

export type CyclePoint = RuleHistory['points'][number];
export type Cell = CyclePoint['state'] | undefined;

const WEIGHT = { quiet: 1, skipped: 2, fires: 3 } as const;

const LETTERS: Record<string, Cell> = { q: 'quiet', s: 'skipped', f: 'fires' };

/** As the API packs them: a letter for each. */
export const cellsIn = (states: string): Cell[] => [...states].map((letter) => LETTERS[letter]);

/** One for each quarter of an hour; where several cycles fell into one, the gravest. */
export function cellsOf(points: readonly CyclePoint[], from: number, cells: number): Cell[] {
  const all = Array.from<unknown, Cell>({ length: cells }, () => undefined);
  for (const { timestamp, state } of points) {
    const i = Math.floor((Date.parse(timestamp) - from) / QUARTER);
    if (i < 0 || i >= cells) continue;
    const known = all[i];
    if (known === undefined || WEIGHT[state] > WEIGHT[known]) all[i] = state;
  }
  return all;
}

/** fired in 3 of 96 checks, 2 could not be judged */
export function cellWords(cells: readonly Cell[]): string {
  const of = (state: Cell) => cells.filter((cell) => cell === state).length;
  const judged = cells.length - of(undefined);
  if (judged === 0) return 'not checked';
  const skipped = of('skipped');
  const words = [
    of('fires') === 0
      ? `quiet in ${plural(of('quiet'), 'check')}`
      : `fired in ${count(of('fires'))} of ${plural(judged, 'check')}`,
  ];
  if (skipped > 0) words.push(`${count(skipped)} could not be judged`);
  return words.join(', ');
}

/** Where the last days began, today first; days are not all equally long. */
export function daysBack(now: number, days: number): number[] {
  return Array.from({ length: days }, (_, i) => {
    const date = new Date(now);
    date.setHours(0, 0, 0, 0);
    return date.setDate(date.getDate() - i);
  });
}

/** How many cells there are from where a day began to where the next does. */
export function cellsInDay(start: number): number {
  const date = new Date(start);
  return Math.round((date.setDate(date.getDate() + 1) - start) / QUARTER);
}

/** Where cells of one state stand side by side. */
export function runsOf(cells: readonly Cell[], state: Cell): { first: number; length: number }[] {
  const runs: { first: number; length: number }[] = [];
  cells.forEach((cell, i) => {
    if (cell !== state) return;
    const last = runs.at(-1);
    if (last && last.first + last.length === i) last.length += 1;
    else runs.push({ first: i, length: 1 });
  });
  return runs;
}
