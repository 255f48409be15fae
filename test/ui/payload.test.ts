import { describe, expect, it } from 'vitest';
import { missingBelow, pathTo } from '../../ui/src/lib/payload.ts';

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
