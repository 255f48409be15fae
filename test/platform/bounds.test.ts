import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { boundsTable } from '../../server/platform/bounds.ts';

/** A table without the blanks that are there for the eye. */
const plain = (text: string) => text.replace(/ *\| */g, '|').replace(/-{3,}/g, '---');

it('the documentation has the bounds that hold', () => {
  expect(plain(readFileSync('README.md', 'utf8'))).toContain(plain(boundsTable()));
});
