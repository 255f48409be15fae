import { describe, expect, it } from 'vitest';
import { freshTenant } from '../helpers/tenant.ts';
import type { TestTenant } from '../helpers/tenant.ts';

const KIB = 1024;

interface Event {
  id: string;
  data: { n: number };
}

/** All pages from the newest on, by cursor. */
async function paged(vedette: TestTenant, query: string): Promise<Event[]> {
  const all: Event[] = [];
  let cursor = '';
  do {
    const answer = await vedette.get(`/events?${query}${cursor && `&cursor=${cursor}`}`);
    expect(answer.statusCode, answer.body).toBe(200);
    all.push(...answer.json<Event[]>());
    cursor = String(answer.headers['x-next-cursor'] ?? '');
  } while (cursor !== '');
  return all;
}

const numbers = (events: readonly Event[]) => events.map(({ data }) => data.n);
const countdown = (from: number) => Array.from({ length: from }, (_, i) => from - 1 - i);

describe('a list', () => {
  it('goes on behind a cursor, also among events of one moment', async () => {
    const vedette = await freshTenant();
    const batch = (from: number, length: number) =>
      Array.from({ length }, (_, i) => ({
        source: i % 2 ? 'odd' : 'even',
        event_type: 'x',
        data: { n: from + i, text: 'needle' },
      }));
    await vedette.post(batch(0, 40));
    await vedette.post(batch(40, 30));
    expect(numbers(await paged(vedette, 'limit=7'))).toEqual(countdown(70));
    expect(numbers(await paged(vedette, 'limit=7&text=needle'))).toEqual(countdown(70));
    expect(numbers(await paged(vedette, 'limit=9&source=odd'))).toEqual(
      countdown(70).filter((n) => n % 2),
    );
    expect((await vedette.get('/events?cursor=7')).statusCode).toBe(400);
  });

  it('of large events goes out in pieces, and is the same as each by itself', async () => {
    const vedette = await freshTenant();
    const sizes = [3000, 1, 1500, 5000, 2, 900, 1200, 2500].map((kib) => kib * KIB);
    for (const [n, size] of sizes.entries()) {
      const data = { n, text: 'ü'.repeat(size / 2) };
      await vedette.post([{ source: 'a', event_type: 'x', data }]);
    }
    const list = await vedette.get('/events?limit=1000');
    expect(list.statusCode).toBe(200);
    expect(list.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(list.headers).not.toHaveProperty('content-length');
    const events = list.json<Event[]>();
    expect(numbers(events)).toEqual(countdown(8));
    const each = await Promise.all(events.map(({ id }) => vedette.get(`/events/${id}`)));
    expect(`[${each.map(({ body }) => body).join(',')}]` === list.body).toBe(true);
    const found = await vedette.get('/events?limit=1000&text=%C3%BC');
    expect(found.body === list.body).toBe(true);
    expect(numbers(await paged(vedette, 'limit=3'))).toEqual(countdown(8));
  });

  it('of what was refused goes on behind a cursor', async () => {
    const vedette = await freshTenant();
    for (let n = 0; n < 5; n++) await vedette.post(`[{"n":${n}}]`);
    const first = await vedette.get('/events/rejected?limit=3');
    const cursor = String(first.headers['x-next-cursor']);
    const second = await vedette.get(`/events/rejected?limit=3&cursor=${cursor}`);
    expect(second.headers).not.toHaveProperty('x-next-cursor');
    const both = [first, second].flatMap((answer) => answer.json<{ payload: string }[]>());
    expect(both.map(({ payload }) => payload)).toEqual([4, 3, 2, 1, 0].map((n) => `[{"n":${n}}]`));
  });
});
