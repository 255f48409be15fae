import { expect, it, onTestFinished, vi } from 'vitest';
import { createClosing } from '../server/closing.ts';

const never = () => new Promise<never>(() => undefined);

it('closes side by side what belongs together, and the database last', async () => {
  const closing = createClosing({ warn: vi.fn(), error: vi.fn() });
  const ended: string[] = [];
  const both = Promise.withResolvers<undefined>();
  const part = (name: string, until?: Promise<unknown>) => async () => {
    await until;
    ended.push(name);
  };
  closing.add('database', 'database', part('database'));
  closing.add('events', 'events', part('events'));
  closing.add('work', 'one', part('one', both.promise));
  closing.add('work', 'other', async () => both.resolve(undefined));
  closing.add('work', 'broken', () => Promise.reject(new Error('no')));
  await closing.close();
  expect(ended).toEqual(['one', 'events', 'database']);
});

it('whatever hangs, the last flush has its time, and all is over in less than four seconds', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const warn = vi.fn();
  const closing = createClosing({ warn, error: vi.fn() });
  const began = Date.now();
  const flush = Promise.withResolvers<number>();
  closing.add('database', 'database', never);
  closing.add('events', 'events', async () => {
    flush.resolve(Date.now() - began);
    await never();
  });
  for (const name of ['answers', 'webhooks', 'tag manager']) closing.add('work', name, never);
  const over = closing.close().then(() => Date.now() - began);
  await vi.runAllTimersAsync();
  expect(await flush.promise).toBeLessThan(2_000);
  expect(await over).toBeLessThan(4_000);
  expect(warn.mock.calls.map(([fields]: { parts: string[] }[]) => fields?.parts)).toEqual([
    ['answers', 'webhooks', 'tag manager'],
    ['events'],
    ['database'],
  ]);
});
