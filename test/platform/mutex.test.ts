import { expect, it } from 'vitest';
import { createKeyedMutex } from '../../server/platform/mutex.ts';

it('lets one go on at a time for each key, whatever becomes of it, and others meanwhile', async () => {
  const inTurn = createKeyedMutex();
  const gate = Promise.withResolvers<undefined>();
  const order: string[] = [];
  const first = inTurn('a', async () => {
    await gate.promise;
    order.push('first');
    throw new Error('fails');
  });
  const second = inTurn('a', async () => void order.push('second'));
  await inTurn('b', async () => void order.push('another key'));
  expect(order).toEqual(['another key']);
  gate.resolve(undefined);
  await expect(first).rejects.toThrow('fails');
  await second;
  // Once nobody waits any more, the key begins anew.
  await inTurn('a', async () => void order.push('third'));
  expect(order).toEqual(['another key', 'first', 'second', 'third']);
});
