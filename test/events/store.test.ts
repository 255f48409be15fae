import { describe, expect, it } from 'vitest';
import type { Segment } from '../../server/events/segment.ts';
import { openStore, textOf } from '../helpers/event-store.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const page = { skip: 0, limit: 100 };

/** A store, and what accepts events and returns the segments that hold them, not ingested yet. */
async function open() {
  const { store, journal, intake } = await openStore({ now: () => NOW });
  const accept = async (events: object[]) => {
    await intake.send(events);
    return journal.seal();
  };
  return { store, accept };
}

describe('the event store', () => {
  const event = (n: number, source = 'a') => ({ source, event_type: 'x', data: { n } });
  const numbers = (text: string) =>
    (JSON.parse(text) as { data: { n: number } }[]).map(({ data }) => data.n);

  it('ingests a segment once, however often it is handed in', async () => {
    const { store, accept } = await open();
    const [segment] = await accept([event(1), event(2)]);
    expect(await store.ingest(segment as Segment)).toBe('stored');
    expect(await store.ingest(segment as Segment)).toBe('known');
    expect(numbers(await textOf(await store.list('tenant', page)))).toEqual([2, 1]);
  });

  it('remembers a segment until it is told that its file is gone', async () => {
    const { store, accept } = await open();
    const [first] = await accept([event(1)]);
    await store.ingest(first as Segment);
    const [, second] = await accept([event(2)]);
    await store.ingest(second as Segment);
    await store.forgetSegments([(first as Segment).name]);
    expect(await store.ingest(second as Segment)).toBe('known');
    expect(await store.newestSegment()).toBe(2);
  });

  it('makes the same ids whenever a segment is ingested', async () => {
    const { store, accept } = await open();
    const [segment] = await accept([event(1), event(2), event(3)]);
    await store.ingest(segment as Segment);
    const ids = (
      JSON.parse(await textOf(await store.list('tenant', page))) as { id: string }[]
    ).map(({ id }) => id);
    const other = await open();
    await other.store.ingest(segment as Segment);
    const again = (
      JSON.parse(await textOf(await other.store.list('tenant', page))) as { id: string }[]
    ).map(({ id }) => id);
    expect(again).toEqual(ids);
    expect(new Set(ids).size).toBe(3);
  });

  it('refuses a segment that it cannot read, whole', async () => {
    const { store, accept } = await open();
    const [segment] = await accept([event(1)]);
    const missing = { ...(segment as Segment), file: `${(segment as Segment).file}.not` };
    await expect(store.ingest(missing)).rejects.toThrow();
    await expect(store.readable(missing)).rejects.toThrow();
    expect(await store.readable(segment as Segment)).toBe(true);
    expect(await textOf(await store.list('tenant', page))).toBe('[]');
    expect(await store.ingest(segment as Segment)).toBe('stored');
  });

  it('says what has arrived since a segment: the newest, oldest first, and how many in all', async () => {
    const { store, accept } = await open();
    const [first] = await accept([event(1)]);
    await store.ingest(first as Segment);
    const since = await store.newestSegment();
    const [, second] = await accept([event(2), event(3), event(4)]);
    await store.ingest(second as Segment);
    const arrived = await store.arrivedSince('tenant', since, 2);
    expect(arrived).toMatchObject({ newest: since + 1, counts: [{ count: 3 }] });
    expect(numbers(`[${arrived.rows.map(({ record }) => record).join(',')}]`)).toEqual([3, 4]);
    const after = await store.arrivedAfter('tenant', arrived.rows[0]?.id ?? '', 10);
    expect(numbers(`[${after.rows.map(({ record }) => record).join(',')}]`)).toEqual([4]);
  });

  it('knows when the newest event was received', async () => {
    const { store, accept } = await open();
    expect(await store.newestTime()).toBe(0);
    const [segment] = await accept([event(1)]);
    await store.ingest(segment as Segment);
    expect(await store.newestTime()).toBe(NOW);
  });
});
