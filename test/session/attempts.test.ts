import { expect, it } from 'vitest';
import { createAttempts, type Guesser } from '../../server/session/attempts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const at = (network: string): Guesser => ({ network });
const known = (known: string): Guesser => ({ network: 'a', known });

/** The seconds that an attempt would have to wait: 0 when it may begin. */
function tried(attempts: ReturnType<typeof createAttempts>, who: Guesser, now: number): number {
  try {
    attempts.begin(who, now);
    return 0;
  } catch (error) {
    const { status, headers } = error as { status: number; headers: Record<string, string> };
    expect(status).toBe(429);
    return Number(headers['retry-after']);
  }
}

/** The waits before each of so many attempts that come as soon as they may. */
function waitsOf(attempts: ReturnType<typeof createAttempts>, who: () => Guesser, count: number) {
  const waits: number[] = [];
  for (let now = 0; waits.length < count;) {
    const guesser = who();
    const wait = tried(attempts, guesser, now);
    waits.push(wait);
    if (wait === 0) continue;
    now += wait * 1000;
    expect(tried(attempts, guesser, now - 1)).toBeGreaterThan(0);
    expect(tried(attempts, guesser, now)).toBe(0);
  }
  return waits;
}

it('lets five attempts begin, also all at once, and then makes the address wait', () => {
  const attempts = createAttempts();
  const waits = Array.from({ length: 8 }, () => tried(attempts, at('a'), 0));
  expect(waits).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
});

it('doubles the wait after each further failure, up to a minute', () => {
  const waits = waitsOf(createAttempts(), () => at('a'), 13);
  expect(waits).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60]);
});

it('counts each address by itself', () => {
  const attempts = createAttempts();
  for (let i = 0; i < 6; i++) tried(attempts, at('a'), 0);
  expect(tried(attempts, at('b'), 0)).toBe(0);
});

it('lets all addresses together try twenty times, and then once every ten seconds at most', () => {
  let address = 0;
  const waits = waitsOf(createAttempts(), () => at(`${address++}`), 27);
  expect(waits).toEqual([...Array<number>(20).fill(0), 1, 2, 4, 8, 10, 10, 10]);
});

it('counts who is known by themselves, neither with their address nor with all', () => {
  const attempts = createAttempts();
  for (let i = 0; i < 40; i++) tried(attempts, at(i < 10 ? 'a' : `${i}`), 0);
  expect(tried(attempts, at('new'), 0)).toBe(1);
  expect(waitsOf(attempts, () => known('x'), 7)).toEqual([0, 0, 0, 0, 0, 1, 2]);
  expect(tried(attempts, known('y'), 0)).toBe(0);
});

it('forgets after success', () => {
  const attempts = createAttempts();
  for (let i = 0; i < 5; i++) attempts.begin(at('a'), 0);
  attempts.succeeded(at('a'));
  expect(Array.from({ length: 5 }, () => tried(attempts, at('a'), 0))).toEqual([0, 0, 0, 0, 0]);
});

it('forgets an hour after the last attempt', () => {
  const attempts = createAttempts();
  for (let i = 0; i < 5; i++) attempts.begin(at('a'), 0);
  attempts.begin(at('a'), HOUR - 1);
  expect(tried(attempts, at('a'), HOUR)).toBeGreaterThan(0);
  expect(tried(attempts, at('a'), 2 * HOUR)).toBe(0);
  expect(tried(attempts, at('a'), 2 * HOUR)).toBe(0);
});

it('takes back an attempt that could not be judged', () => {
  const attempts = createAttempts();
  for (let i = 0; i < 50; i++) {
    attempts.begin(at('a'), 0);
    attempts.takeBack(at('a'));
  }
  expect(tried(attempts, at('a'), 0)).toBe(0);
});

it('remembers a bounded number, the latest', () => {
  const attempts = createAttempts({ maxCounts: 3 });
  for (let i = 0; i < 5; i++) attempts.begin(known('a'), 0);
  for (const one of ['b', 'c']) attempts.begin(known(one), 0);
  expect(tried(attempts, known('a'), 0)).toBe(1);
  attempts.begin(known('d'), 0);
  expect(tried(attempts, known('a'), 0)).toBe(0);
});
