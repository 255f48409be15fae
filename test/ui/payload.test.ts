import { describe, expect, it } from 'vitest';
import { isSmall, missingBelow, openAtFirst, pathTo } from '../../ui/src/lib/payload.ts';

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
