import { describe, expect, it } from 'vitest';
import { createPool } from '../../server/platform/pool.ts';
import type { Turn } from '../../server/platform/pool.ts';

/** A pool whose users hold on until they are let go, and the names of those that have begun. */
function held(items: number) {
  const pool = createPool(Array.from({ length: items }, (_, i) => i));
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    pool,
    begun,
    use: (name: string, turn?: Turn) =>
      pool.use(async () => {
        begun.push(name);
        await new Promise<void>((end) => ends.set(name, end));
      }, turn),
    end: async (name: string) => {
      await new Promise(setImmediate);
      ends.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

describe('a pool', () => {
  it('serves owners in turn, and each in the order of asking', async () => {
    const { use, end, begun } = held(1);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) {
      void use(name, { owner: name[0] });
    }
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('keeps one of its items from what is heavy', async () => {
    const { use, begun } = held(2);
    for (const name of ['h1', 'h2']) void use(name, { isHeavy: true });
    void use('light');
    await new Promise(setImmediate);
    expect(begun).toEqual(['h1', 'light']);
  });

  it('lets neither what is heavy nor what is light wait for all of the other', async () => {
    const { use, end, begun } = held(2);
    for (const name of ['l1', 'l2', 'l3', 'l4']) void use(name);
    for (const name of ['h1', 'h2']) void use(name, { isHeavy: true });
    for (const name of ['l1', 'l2', 'h1', 'l3']) await end(name);
    expect(begun).toEqual(['l1', 'l2', 'h1', 'l3', 'h2', 'l4']);
  });

  it('forgets who left while they waited', async () => {
    const { use, end, begun, pool } = held(1);
    const left = new AbortController();
    void use('first');
    const waiting = use('left', { signal: left.signal });
    void use('last', { owner: 'other' });
    left.abort(new Error('has left'));
    await expect(waiting).rejects.toThrow('has left');
    await expect(use('late', { signal: left.signal })).rejects.toThrow('has left');
    await end('first');
    await end('last');
    expect(begun).toEqual(['first', 'last']);
    await pool.drain();
  });
});
