import { expect, it } from 'vitest';
import { createAttempts } from '../../server/session/attempts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The seconds that an attempt would have to wait: 0 when it may begin. */
function tried(attempts: ReturnType<typeof createAttempts>, address: string, now: number): number {
  try {
    attempts.begin(address, now);
    return 0;
  } catch (error) {
    const { status, headers } = error as { status: number; headers: Record<string, string> };
    expect(status).toBe(429);
    return Number(headers['retry-after']);
  }
}

it('lets five attempts begin, also all at once, and then makes the address wait', () => {
  const attempts = createAttempts();
  const waits = Array.from({ length: 8 }, () => tried(attempts, 'a', 0));
  expect(waits).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
});

it('doubles the wait after each further failure, up to a quarter of an hour', () => {
  const attempts = createAttempts();
  for (let i = 0; i < 5; i++) attempts.begin('a', 0);
  const waits: number[] = [];
  for (let now = 0; waits.length < 13;) {
    const wait = tried(attempts, 'a', now);
    waits.push(wait);
    now += wait * 1000;
    expect(tried(attempts, 'a', now - 1)).toBeGreaterThan(0);
    expect(tried(attempts, 'a', now)).toBe(0);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
});

it('counts each address by itself', () => {
  const attempts = createAttempts();
  for (let i = 0; i < 6; i++) tried(attempts, 'a', 0);
  expect(tried(attempts, 'b', 0)).toBe(0);
});

it('forgets after success', () => {
  const attempts = createAttempts();
  for (let i = 0; i < 5; i++) attempts.begin('a', 0);
  attempts.succeeded('a');
  expect(Array.from({ length: 5 }, () => tried(attempts, 'a', 0))).toEqual([0, 0, 0, 0, 0]);
});

it('forgets an hour after the last attempt', () => {
  const attempts = createAttempts();
  for (let i = 0; i < 5; i++) attempts.begin('a', 0);
  attempts.begin('a', HOUR - 1);
  expect(tried(attempts, 'a', HOUR)).toBeGreaterThan(0);
  expect(tried(attempts, 'a', 2 * HOUR)).toBe(0);
  expect(tried(attempts, 'a', 2 * HOUR)).toBe(0);
});

it('takes back an attempt that could not be judged', () => {
  const attempts = createAttempts();
  for (let i = 0; i < 20; i++) {
    attempts.begin('a', 0);
    attempts.takeBack('a');
  }
  expect(tried(attempts, 'a', 0)).toBe(0);
});

it('remembers a bounded number of addresses, the latest', () => {
  const attempts = createAttempts({ maxAddresses: 3 });
  for (let i = 0; i < 5; i++) attempts.begin('a', 0);
  for (const address of ['b', 'c']) attempts.begin(address, 0);
  expect(tried(attempts, 'a', 0)).toBe(1);
  attempts.begin('d', 0);
  expect(tried(attempts, 'a', 0)).toBe(0);
});
