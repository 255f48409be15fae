import { expect, test } from 'vitest';
import { atMost } from '../../electron/at-most.ts';

test('what may happen three times a minute may again when the first is past', () => {
  const may = atMost(3, 60);
  expect([0, 10, 20, 30].map(may)).toEqual([true, true, true, false]);
  expect([59, 60, 61, 70].map(may)).toEqual([false, true, false, true]);
});
