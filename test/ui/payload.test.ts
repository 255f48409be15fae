import { describe, expect, it } from 'vitest';
import {
  isBranch,
  isExact,
  isSmall,
  missingBelow,
  openAtFirst,
  parseExactly,
  pathTo,
  textOf,
} from '../../ui/src/lib/payload.ts';

describe('what a payload lacks', () => {
  it('is named where its way breaks off', () => {
    const required = ['order_id', 'ecommerce.value', 'ecommerce.items', 'a.b.c'];
    const value = { ecommerce: { items: [] } };
    expect(missingBelow(value, '', required)).toEqual(['order_id', 'a.b.c']);
    expect(missingBelow(value.ecommerce, 'ecommerce', required)).toEqual(['value']);
  });

  it('counts null as missing, and an empty text as there', () => {
    expect(missingBelow({ a: null, b: '' }, '', ['a', 'b'])).toEqual(['a']);
  });

  it('takes a literal key before a way along dots', () => {
    expect(missingBelow({ 'a.b': 1 }, '', ['a.b'])).toEqual([]);
  });

  it('is not found in what every object has', () => {
    expect(missingBelow({}, '', ['constructor', '__proto__', 'toString'])).toHaveLength(3);
  });
});

describe('a path', () => {
  it('is written as rules read it', () => {
    expect(pathTo('', 'a', false)).toBe('a');
    expect(pathTo('ecommerce', 'value', false)).toBe('ecommerce.value');
    expect(pathTo('items', '0', true)).toBe('items[0]');
  });
});

describe('a number beyond 2^53', () => {
  it('is shown and copied as it was sent', () => {
    const text =
      '{"id":12345678901234567891,"list":[-9007199254740993,1e400],"near":9007199254740991}';
    const read = parseExactly(text) as { id: unknown; list: unknown[]; near: unknown };
    expect(JSON.stringify(read)).toBe(text);
    expect(textOf(read.id)).toBe('12345678901234567891');
    expect(isBranch(read.id)).toBe(false);
    expect(read.near).toBe(Number.MAX_SAFE_INTEGER);
    expect([isExact(read), isExact(JSON.parse(text))]).toEqual([true, false]);
  });

  it('in a text is a text', () => {
    const value = { id: '12345678901234567891' };
    expect(parseExactly(JSON.stringify(value))).toEqual(value);
  });
});

describe('a payload that is opened', () => {
  const wide = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`k${i}`, { a: { b: i }, c: [1, 2, 3] }]),
  );

  it('stands open near its root, as far as can be taken in', () => {
    const small = { a: { b: { c: 1 } } };
    expect(openAtFirst(small)).toEqual(new Set([small, small.a, small.a.b]));
    const entries = [...openAtFirst(wide)].reduce((sum, at) => sum + Object.keys(at).length, 0);
    expect(entries).toBeLessThan(200);
  });

  it('keeps what is large folded, but not the root', () => {
    const list = Array.from({ length: 500 }, (_, i) => ({ i }));
    expect(openAtFirst({ list }).has(list)).toBe(false);
    expect(openAtFirst(list).has(list)).toBe(true);
  });

  it('is small or not by about what its JSON takes', () => {
    expect(isSmall({ a: 'x'.repeat(100) }, 200)).toBe(true);
    expect(isSmall({ a: 'x'.repeat(300) }, 200)).toBe(false);
    expect(isSmall(wide, 200)).toBe(false);
    expect(isSmall(wide, 5_000)).toBe(true);
  });
});
