import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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
  expect(order).toEqual(['another key', 'first', 'second']);
});

it('lets one that comes between two others wait for the later one', async () => {
  const inTurn = createKeyedMutex();
  const gate = Promise.withResolvers<undefined>();
  const order: string[] = [];
  const first = inTurn('a', () => Promise.resolve());
  const second = inTurn('a', () => gate.promise.then(() => order.push('second')));
  await first;
  // Whatever is cleared away after the first has been by the time that another key had its turns.
  await inTurn('b', () => Promise.resolve());
  const third = inTurn('a', async () => void order.push('third'));
  await inTurn('b', () => Promise.resolve());
  gate.resolve(undefined);
  await Promise.all([second, third]);
  expect(order).toEqual(['second', 'third']);
});

it('keeps nothing of a key that nobody waits for', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const inTurn = createKeyedMutex();
  // In a frame of its own, which is gone by the time that it is looked for.
  const used = async () => new WeakRef(await inTurn('a', () => Promise.resolve({})));
  const result = await used();
  await expect
    .poll(() => {
      collect();
      return result.deref() === undefined;
    })
    .toBe(true);
  // It is there to be used up to here, or all of it would be gone.
  await inTurn('b', () => Promise.resolve());
});
