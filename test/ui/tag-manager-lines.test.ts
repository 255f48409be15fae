import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareLines, folded } from '../../ui/src/pages/tag-manager/parts/lines.ts';
import type { Line } from '../../ui/src/pages/tag-manager/parts/lines.ts';
import { compareWithin } from '../../ui/src/pages/tag-manager/parts/within.ts';

const text = (lines: readonly Line[], gone: Line['kind']) =>
  lines
    .filter(({ kind }) => kind !== gone)
    .map((line) => line.text)
    .join('\n');
const kept = (lines: readonly Line[]) => lines.filter(({ kind }) => kind === 'same').length;

/** The length of the longest common subsequence, in the plain way that needs the whole table. */
function mostKept(before: string[], after: string[]): number {
  const table = before.map(() => after.map(() => 0));
  const at = (i: number, j: number) => table[i]?.[j] ?? 0;
  before.forEach((line, i) => {
    after.forEach((other, j) => {
      const row = table[i];
      if (!row) return;
      row[j] = line === other ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), at(i, j - 1));
    });
  });
  return at(before.length - 1, after.length - 1);
}

const few = fc.array(fc.constantFrom('a', 'b', 'c', '', '}', 'é\r'), { maxLength: 40 });

describe('the difference of two texts', () => {
  it('applied to the one before gives the one after, and backwards', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), few, few, (x, y, one, other) => {
        for (const [before, after] of [
          [x, y],
          [one.join('\n'), other.join('\n')],
        ] as const) {
          const lines = compareLines(before, after);
          expect(text(lines, 'added')).toBe(before);
          expect(text(lines, 'removed')).toBe(after);
        }
      }),
    );
  });

  it('keeps as many lines as can be kept', () => {
    fc.assert(
      fc.property(few, few, (one, other) => {
        const [before, after] = [one.join('\n'), other.join('\n')];
        const most = mostKept(before.split('\n'), after.split('\n'));
        expect(kept(compareLines(before, after))).toBe(most);
      }),
    );
  });

  it('of texts that are too long to be compared is one whole in the place of the other', () => {
    const many = (word: string) =>
      ['begin', ...Array.from({ length: 6_000 }, (_, i) => `${word} ${i % 7}`), 'end'].join('\n');
    const lines = compareLines(many('a'), `${many('b')}\nmore`);
    expect(text(lines, 'added')).toBe(many('a'));
    expect(text(lines, 'removed')).toBe(`${many('b')}\nmore`);
    expect(lines[0]).toEqual({ kind: 'same', text: 'begin' });
  });

  it('finds one changed line in a long file whose lines repeat', () => {
    const file = Array.from({ length: 4_000 }, (_, i) => (i % 3 === 0 ? '}' : `line ${i}`));
    const changed = file.with(1_999, 'another');
    const lines = compareLines(file.join('\n'), changed.join('\n'));
    expect(lines.filter(({ kind }) => kind !== 'same')).toEqual([
      { kind: 'removed', text: 'line 1999' },
      { kind: 'added', text: 'another' },
    ]);
  });
});

describe('what is unchanged', () => {
  it('is folded away but for three lines around a change, and none of it is lost', () => {
    const before = Array.from({ length: 40 }, (_, i) => `line ${i}`);
    const lines = compareLines(before.join('\n'), before.with(20, 'changed').join('\n'));
    const parts = folded(lines);
    expect(parts.map(({ isFolded, lines: { length } }) => [isFolded, length])).toEqual([
      [true, 17],
      [false, 8],
      [true, 16],
    ]);
    expect(parts.flatMap((part) => part.lines)).toEqual(lines);
  });

  it('is never folded for a single line', () => {
    fc.assert(
      fc.property(few, few, (one, other) => {
        const lines = compareLines(one.join('\n'), other.join('\n'));
        const parts = folded(lines);
        expect(parts.flatMap((part) => part.lines)).toEqual(lines);
        for (const part of parts.filter(({ isFolded }) => isFolded)) {
          expect(part.lines.length).toBeGreaterThan(1);
          expect(part.lines.every(({ kind }) => kind === 'same')).toBe(true);
        }
      }),
    );
  });
});

describe('the difference within a line', () => {
  it('puts both texts together again, and never cuts a character in two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        const { start, before, after, end } = compareWithin(a, b);
        expect(start + before + end).toBe(a);
        expect(start + after + end).toBe(b);
      }),
    );
    const { start, before, after } = compareWithin('👍🏽', '👍🏿');
    expect([start, before, after].every((part) => part.isWellFormed())).toBe(true);
  });
});
