import { describe, expect, it } from 'vitest';
import { isEqual, show } from '../../build/template-runner/values.ts';

/** Small in memory, and of 2 ** 40 parts for whoever goes into every one of them. */
function shared(innermost: unknown): unknown {
  let value = innermost;
  for (let i = 0; i < 40; i++) value = [value, value];
  return value;
}

describe('what shares its parts', () => {
  it('is shown no longer than a message may be', () => {
    expect(show(shared(1))).toMatch(/^\[{40}1, 1\], \[1, 1\]/);
    expect(show(shared(1))).toHaveLength(301);
  });

  it('is compared part by part, each once', () => {
    expect(isEqual(shared(1), shared(1))).toBe(true);
    expect(isEqual(shared(1), shared(2))).toBe(false);
  });
});

describe('a value as text', () => {
  it.each([
    [[], '[]'],
    [{}, '{}'],
    [[1, [], { a: 'x', b: [null, undefined] }], '[1, [], {"a": "x", "b": [null, undefined]}]'],
    [() => 1, 'a function'],
  ])('%j', (value, text) => {
    expect(show(value)).toBe(text);
  });
});
