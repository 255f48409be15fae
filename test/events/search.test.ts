import { describe, expect, it } from 'vitest';
import { createSearchStore } from '../../server/events/search-store.ts';
import { spellingsOf } from '../../server/events/text.ts';
import { asking } from '../../server/platform/asker.ts';
import { problems } from '../../server/platform/errors.ts';
import { startAppliance } from '../helpers/appliance.ts';
import { openStore, textOf } from '../helpers/event-store.ts';
import { freshTenant, sharedAppliance } from '../helpers/tenant.ts';
import type { TestTenant } from '../helpers/tenant.ts';

const HOUR = 3_600_000;

const found = async (vedette: Pick<TestTenant, 'get'>, query: Record<string, string>) => {
  const answer = await vedette.get(`/events?${new URLSearchParams(query).toString()}`);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.headers).not.toHaveProperty('x-searched-until');
  return answer.json<{ event_type: string }[]>().map(({ event_type: type }) => type);
};

const one = (event_type: string, data: object, source = 'shop') => ({ source, event_type, data });

describe('a search by text', () => {
  it('looks into data, type and context, in capital and small letters', async () => {
    const vedette = await freshTenant();
    await vedette.post([
      one('a', { page: '/Checkout/thanks' }),
      one('checkout_started', {}),
      one('b', { deep: [{ checkout: null }] }),
      one('c', { page: '/home' }, 'checkout'),
    ]);
    const pixel = {
      source: 'gtm',
      events: [{ type: 'd', data: {}, metadata: { page_url: 'https://x/CHECKOUT' } }],
    };
    await vedette.pixel(encodeURIComponent(JSON.stringify(pixel)));
    expect(await found(vedette, { text: 'cheCKout' })).toEqual(['d', 'b', 'checkout_started', 'a']);
    expect(await found(vedette, { text: 'nowhere' })).toEqual([]);
  });

  it('takes every character as it is', async () => {
    const vedette = await freshTenant();
    await vedette.post([
      one('percent', { v: '100% sure' }),
      one('underline', { v: 'a_b' }),
      one('plain', { v: 'axb 100x sure' }),
      one('quote', { v: `it's "so"` }),
      one('backslash', { v: 'c:\\temp' }),
    ]);
    expect(await found(vedette, { text: '100% s' })).toEqual(['percent']);
    expect(await found(vedette, { text: 'a_b' })).toEqual(['underline']);
    expect(await found(vedette, { text: '%' })).toEqual(['percent']);
    expect(await found(vedette, { text: `it's "so"` })).toEqual(['quote']);
    expect(await found(vedette, { text: 'c:\\temp' })).toEqual(['backslash']);
    expect(await found(vedette, { text: '.*' })).toEqual([]);
    expect(await found(vedette, { text: `' OR 1=1 --` })).toEqual([]);
  });

  it('finds what a sender wrote with escapes', async () => {
    const vedette = await freshTenant();
    await vedette.post(
      String.raw`[{"source":"php","event_type":"escaped","data":{"v":"https:\/\/x\/Gr\u00fc\u00dfe"}},
        {"source":"php","event_type":"plain","data":{"v":"https://x/Grüße"}}]`,
    );
    expect(await found(vedette, { text: 'X/GRÜSSE'.replace('SS', 'ß') })).toEqual([
      'plain',
      'escaped',
    ]);
    expect(spellingsOf('abc')).toEqual(['abc']);
  });

  it('combines with every other filter and pages like every list', async () => {
    let now = Date.UTC(2026, 0, 1, 9);
    await using vedette = await startAppliance({ clock: { now: () => now } });
    for (let hour = 0; hour < 4; hour++) {
      now += HOUR + 1000;
      await vedette.post([
        one(`a${hour}`, { note: 'special', v: hour }, hour % 2 ? 'odd' : 'even'),
        one(`b${hour}`, { note: 'special' }, 'other'),
        one(`c${hour}`, { note: 'usual' }, 'other'),
      ]);
    }
    const text = 'special';
    const all = ['b3', 'a3', 'b2', 'a2', 'b1', 'a1', 'b0', 'a0'];
    expect(await found(vedette, { text })).toEqual(all);
    expect(await found(vedette, { text, limit: '3' })).toEqual(all.slice(0, 3));
    for (const skip of [1, 2, 5, 8, 100]) {
      expect(await found(vedette, { text, skip: String(skip), limit: '2' })).toEqual(
        all.slice(skip, skip + 2),
      );
    }
    expect(await found(vedette, { text, source: 'odd' })).toEqual(['a3', 'a1']);
    expect(await found(vedette, { text, event_type: 'b2' })).toEqual(['b2']);
    expect(await found(vedette, { text, missing: 'v' })).toEqual(['b3', 'b2', 'b1', 'b0']);
    const since = '2026-01-01T11:00:02Z';
    const until = '2026-01-01T13:00:03Z';
    expect(await found(vedette, { text, since })).toEqual(all.slice(0, 6));
    expect(await found(vedette, { text, until })).toEqual(all.slice(2));
    expect(await found(vedette, { text, since, until })).toEqual(all.slice(2, 6));
    expect(await found(vedette, { text, since: until, until: since })).toEqual([]);
  });

  it('that every event answers to is the list itself, piece by piece', async () => {
    const start = Date.UTC(2026, 0, 1);
    let now = start;
    const { store, flusher, intake, database } = await openStore({ now: () => now });
    for (let n = 0; n < 40; n++) {
      now = start + ((n * 7919) % 97) * 0.3 * HOUR;
      await intake.send(Array.from({ length: 1 + ((n * 37) % 400) }, (_, i) => one('x', { n, i })));
    }
    await flusher.flush();
    const searches = createSearchStore(database, store);
    for (const paging of [
      { skip: 0, limit: 1000 },
      { skip: 4321, limit: 77 },
      { skip: 700, limit: 1000, since: start + 2.5 * HOUR, until: start + 20.1 * HOUR },
    ]) {
      const { page } = await searches.search('tenant', { ...paging, text: '{"n"' });
      const listed = await store.list('tenant', paging);
      expect((await textOf(page)) === (await textOf(listed))).toBe(true);
      expect((await textOf(listed)).length).toBeGreaterThan(1000);
      expect(page.next).toBe(listed.next);
    }
  });

  it('ends when nobody waits for it any more', async () => {
    const { store, flusher, intake, database } = await openStore({ now: () => 1e12 });
    await intake.send([one('x', {})]);
    await flusher.flush();
    const left = new AbortController();
    const searching = asking({ owner: 'me', signal: left.signal }, () =>
      createSearchStore(database, store).search('tenant', {
        ...{ skip: 0, limit: 100, text: 'nothing' },
      }),
    );
    left.abort(problems.nobodyWaits());
    await expect(searching).rejects.toThrow('Nobody waits for this answer any more');
  });

  it('answers 400 to what is too short, too long or no path', async () => {
    const vedette = await sharedAppliance();
    for (const [query, words] of [
      ['text=', 'text must have at least 1 character'],
      [`text=${'x'.repeat(201)}`, 'text must have at most 200 characters'],
      ['missing=', 'missing must have at least 1 character'],
      [`missing=${'x'.repeat(501)}`, 'missing must have at most 500 characters'],
      ['missing=%01', 'missing must not have control characters'],
    ]) {
      const answer = await vedette.get(`/events?${query}`);
      expect(answer.statusCode).toBe(400);
      expect(answer.json<{ detail: string }>().detail).toBe(`Wrong query: ${words}`);
    }
  });

  it('that is cut says how far it came, and goes on from there', async () => {
    const start = Date.UTC(2026, 0, 1);
    let now = start;
    const { store, flusher, intake, database } = await openStore({ now: () => now });
    for (let hour = 0; hour < 3; hour++) {
      now = start + hour * HOUR;
      await intake.send(Array.from({ length: 5000 }, (_, n) => one('x', { n, hour })));
    }
    await flusher.flush();
    const hasty = createSearchStore(database, store, 0);
    const hours: number[] = [];
    let until: number | undefined;
    let cuts = 0;
    for (;;) {
      const { page, searchedUntil } = await hasty.search('tenant', {
        ...{ skip: 0, limit: 1000, text: '"n":77,', until },
      });
      for (const { data } of JSON.parse(await textOf(page)) as { data: { hour: number } }[])
        hours.push(data.hour);
      if (searchedUntil === undefined) break;
      expect(searchedUntil).toBeLessThan(until ?? Infinity);
      until = searchedUntil;
      cuts++;
    }
    expect(hours).toEqual([2, 1, 0]);
    expect(cuts).toBeGreaterThan(1);
    // The counts may be forgotten before the events.
    await store.forget('tenant', 0, now + HOUR);
    const { page } = await createSearchStore(database, store).search('tenant', {
      ...{ skip: 0, limit: 1000, text: '"n":77,' },
    });
    expect(JSON.parse(await textOf(page))).toHaveLength(3);
  });
});

describe('a search for what is missing', () => {
  it('reads the path as rules do: the literal key first, then dots; null is missing', async () => {
    const vedette = await freshTenant();
    await vedette.post([
      one('nothing', {}),
      one('null', { a: { b: null } }),
      one('null literal', { 'a.b': null }),
      one('steps', { a: { b: 0 } }),
      one('literal', { 'a.b': '' }),
      one('both', { 'a.b': null, a: { b: false } }),
      one('list', { a: [{ b: 1 }] }),
    ]);
    expect(await found(vedette, { missing: 'a.b' })).toEqual([
      'list',
      'null literal',
      'null',
      'nothing',
    ]);
    expect(await found(vedette, { missing: 'a.0.b' })).not.toContain('list');
    expect(await found(vedette, { missing: `it's ~/"` })).toHaveLength(7);
    expect(await found(vedette, { missing: '$.a' })).toHaveLength(7);
  });
});

describe('GET /api/v1/events/{event_id}', () => {
  it('answers the event just as the list shows it', async () => {
    let now = Date.UTC(2026, 0, 2);
    await using vedette = await startAppliance({ clock: { now: () => now } });
    await vedette.post(
      '[{"source":"a","event_type":"b","data":{"n":1.50}},{"source":"a","event_type":"b","data":{}}]',
    );
    // Of an event that came when the clock had been set back, the id is ahead.
    now -= 300 * 24 * HOUR;
    await vedette.post([one('late', { n: 2 })]);
    const list = await vedette.get('/events');
    const events = list.json<{ id: string }[]>();
    expect(events).toHaveLength(3);
    const each = await Promise.all(events.map(({ id }) => vedette.get(`/events/${id}`)));
    expect(`[${each.map(({ body }) => body).join(',')}]`).toBe(list.body);
    const upper = await vedette.get(`/events/${String(events[0]?.id).toUpperCase()}`);
    expect(upper.body).toBe(each[0]?.body);
    expect(upper.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('answers 404 to an id that is unknown, and 400 to what is none', async () => {
    const vedette = await sharedAppliance();
    const unknown = await vedette.get('/events/019b0000-0000-7000-8000-000000000000');
    expect(unknown.statusCode).toBe(404);
    expect(unknown.json<{ detail: string }>().detail).toBe('This event does not exist');
    const wrong = await vedette.get('/events/abc');
    expect(wrong.statusCode).toBe(400);
    expect(wrong.json<{ detail: string }>().detail).toBe('Wrong path: event_id must be a UUID');
  });
});
