import { expect, it } from 'vitest';
import { settled } from '../../ui/src/lib/settled.ts';

it('a saved form is as it is stored, but for what was typed since it was sent', () => {
  const sent = { url: ' a ', list: ['x'], note: '' };
  const stored = { url: 'a', list: ['x'], note: '' };
  expect(settled({ ...sent, list: ['x'] }, { sent, stored })).toEqual(stored);
  expect(settled({ ...sent, list: ['x', 'y'], note: 'n' }, { sent, stored })).toEqual({
    ...{ url: 'a', list: ['x', 'y'], note: 'n' },
  });
});
