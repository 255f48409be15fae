import { describe, expect, test, vi } from 'vitest';
import { createLifecycle } from '../../electron/lifecycle.ts';
import type { Phase } from '../../electron/lifecycle.ts';

const settled = () => new Promise((done) => setImmediate(done));

/** A program whose starts and ends are let through one by one. */
function program({ isHeld = false } = {}) {
  const said: string[] = [];
  const opening: PromiseWithResolvers<number>[] = [];
  let count = 0;
  const lifecycle = createLifecycle<number>({
    open: () => {
      const next = Promise.withResolvers<number>();
      opening.push(next);
      if (!isHeld) next.resolve(++count);
      return next.promise;
    },
    close: async (up) => void said.push(`closed ${up}`),
    entered: (phase) => void said.push(words(phase)),
    noted: (error) => void said.push(String(error)),
  });
  return { lifecycle, said, opening };
}

function words(phase: Phase<number>): string {
  if (phase.name === 'up') return `up ${phase.up}${phase.isAnew ? ' anew' : ''}`;
  return phase.name === 'failed' ? `failed${phase.wasUp ? ' while up' : ''}` : phase.name;
}

const boom = new Error('boom');

describe('the program', () => {
  test('comes up and ends once, however often it is told to', async () => {
    const { lifecycle, said } = program();
    await lifecycle.start();
    await Promise.all([lifecycle.end(), lifecycle.end()]);
    expect(said).toEqual(['up 1', 'ending', 'closed 1']);
  });

  test('tries again after a failed start, once for two clicks', async () => {
    const { lifecycle, said, opening } = program({ isHeld: true });
    const start = lifecycle.start();
    await settled();
    opening[0]?.reject(boom);
    await start;
    const again = [lifecycle.again(), lifecycle.again()];
    await settled();
    opening[1]?.resolve(7);
    await Promise.all(again);
    expect(opening).toHaveLength(2);
    expect(said).toEqual(['failed', 'starting', 'up 7']);
  });

  test('does not try again while it is up', async () => {
    const { lifecycle, said } = program();
    await lifecycle.start();
    await lifecycle.again();
    expect(said).toEqual(['up 1']);
  });

  test('that ends while it starts closes what still comes up', async () => {
    const { lifecycle, said, opening } = program({ isHeld: true });
    const start = lifecycle.start();
    const end = lifecycle.end();
    await settled();
    opening[0]?.resolve(3);
    await Promise.all([start, end]);
    expect(said).toEqual(['ending', 'closed 3']);
  });

  test('fails when something unforeseen happens while it starts, and closes what comes up late', async () => {
    const { lifecycle, said, opening } = program({ isHeld: true });
    const start = lifecycle.start();
    await settled();
    await lifecycle.fault(boom);
    await start;
    expect(said).toEqual(['failed']);
    opening[0]?.resolve(4);
    await vi.waitUntil(() => said.length === 2);
    expect(said[1]).toBe('closed 4');
  });

  test('begins anew after a fault, three times, and then says that it failed', async () => {
    const { lifecycle, said } = program();
    await lifecycle.start();
    for (let i = 0; i < 4; i++) await lifecycle.fault(boom);
    const thrice = [1, 2, 3].flatMap((i) => ['starting', `closed ${i}`, `up ${i + 1} anew`]);
    expect(said).toEqual(['up 1', ...thrice, 'failed while up', 'closed 4']);
    await lifecycle.again();
    expect(said.at(-1)).toBe('up 5');
  });

  test('takes two faults at once for one', async () => {
    const { lifecycle, said } = program();
    await lifecycle.start();
    await Promise.all([lifecycle.fault(boom), lifecycle.fault(boom)]);
    expect(said.filter((word) => word.startsWith('closed'))).toEqual(['closed 1']);
  });

  test('that is ending does not begin anew', async () => {
    const { lifecycle, said } = program();
    await lifecycle.start();
    const fault = lifecycle.fault(boom);
    await Promise.all([lifecycle.end(), fault]);
    await lifecycle.fault(boom);
    await lifecycle.again();
    expect(said).toEqual(['up 1', 'starting', 'ending', 'closed 1']);
  });
});
