import { describe, expect, it } from 'vitest';
import { compile } from './language/compile.ts';

const run = (source: string, globals: Record<string, unknown> = {}) => compile(source)(globals);

describe('the language', () => {
  it('gives what the program returns', () => {
    expect(run('return a + 1;', { a: 1 })).toBe(2);
  });
});
