import { expect, it } from 'vitest';
import { shortKeys } from '../../ui/src/pages/tag-manager/parts/short-keys.ts';

const KEY = `vdt_${'a-B_9'.repeat(7)}abcdWXYZ`;

it('shows only the end of a key of Vedette, wherever it stands', () => {
  expect(shortKeys(KEY)).toBe('vdt_…WXYZ');
  expect(shortKeys(`{"value": "${KEY}"}`)).toBe('{"value": "vdt_…WXYZ"}');
});

it('leaves everything else as it is', () => {
  for (const text of ['vdt_short', `${KEY}more`, `my${KEY}`, 'G-12345']) {
    expect(shortKeys(text)).toBe(text);
  }
});
