import { expect, it } from 'vitest';
import { momentOf } from '../../server/platform/text.ts';

it('a moment reads the same wherever the machine is', () => {
  expect(momentOf(Date.UTC(2026, 2, 3, 14, 5, 59))).toBe('3 March 2026, 14:05 UTC');
  expect(momentOf(Date.UTC(2026, 10, 22))).toBe('22 November 2026, 00:00 UTC');
});
