import { readdirSync, readFileSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { journalShares } from '../../server/events/waiting.ts';
import { deleteSegments } from '../../server/events/segment.ts';
import type { Segment } from '../../server/events/segment.ts';
import { openSegmentList } from '../../server/events/segment-list.ts';
import { openJournal } from '../../server/events/journal.ts';
import type { JournalOptions } from '../../server/events/journal.ts';
import { HttpError } from '../../server/platform/errors.ts';
import { silentLog } from '../../server/platform/log.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const line = (text: string, tenantId = 'tenant') => ({
  tenantId,
  ...{ pieces: [`{${text}\n`], bytes: text.length + 1, events: 1 },
});

/** What is written in front of each. */
const CHECKSUM = /^\{"crc":"[0-9a-f]{8}",/gm;
const CHECKSUM_BYTES = 18;
const withoutChecksums = (text: string) => text.replaceAll(CHECKSUM, '');

const segmentsIn = (dir: string) =>
  readdirSync(dir)
    .filter((name) => name.endsWith('.ndjson'))
    .sort();

async function open(options: Partial<JournalOptions> = {}) {
  const dir = options.dir ?? tempDir();
  const list = await openSegmentList(dir);
  const journal = openJournal({
    list,
    kept: { keep: vi.fn(async (segments: readonly Segment[]) => deleteSegments(dir, segments)) },
    left: [],
    clock: { now: () => Date.UTC(2026, 0, 1) },
    faults: () => undefined,
    log: silentLog,
    ...options,
    dir,
  });
  onTestFinished(async () => {
    for (const segment of await journal.seal()) journal.flushed(segment);
    await journal.close();
    await list.close();
  });
  const text = () =>
    segmentsIn(dir)
      .map((name) => withoutChecksums(readFileSync(path.join(dir, name), 'utf8')))
      .join('');
  return { journal, dir, text };
}

/** Until it is moved; what the disk does takes its own time. */
function timeStands() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms: number) => vi.advanceTimersByTime(ms);
}

describe('the journal', () => {
  it('has a line on disk, synced, when its append is done', async () => {
    const points: string[] = [];
    const { journal, text } = await open({ faults: (point) => points.push(point) });
    await journal.append(line('"a":1}'));
    expect(text()).toBe('"a":1}\n');
    expect(points).toEqual(['journal-written']);
  });

  it('writes what gathers meanwhile with one sync, in the order of asking', async () => {
    let syncs = 0;
    const { journal, text } = await open({ faults: () => syncs++ });
    await Promise.all(Array.from({ length: 500 }, (_, i) => journal.append(line(String(i)))));
    expect(text().trim().split('\n').map(Number)).toEqual(Array.from({ length: 500 }, (_, i) => i));
    expect(syncs).toBeLessThan(5);
  });

  it('writes text and bytes of one line in their order', async () => {
    const { journal, text } = await open();
    const pieces = [
      '{"a":"',
      Buffer.from('é😀'),
      '","b":"',
      Buffer.from('ü').toString('latin1'),
      '"}\n',
    ];
    await journal.append({ tenantId: 'tenant', pieces, bytes: 24, events: 1 });
    expect(text()).toBe('"a":"é😀","b":"ü"}\n');
  });

  it('hands out what was acknowledged when it is sealed, and writes on into a new segment', async () => {
    const { journal, dir } = await open();
    await journal.append(line('one'));
    const [first, ...none] = await journal.seal();
    expect(none).toEqual([]);
    const bytes = CHECKSUM_BYTES + 4;
    expect(first).toMatchObject({ events: 1, bytes });
    expect(withoutChecksums(readFileSync(first?.file ?? '', 'utf8'))).toBe('one\n');
    await journal.append(line('two'));
    expect((await journal.seal()).map(({ name }) => name)).toHaveLength(2);
    expect(segmentsIn(dir)).toHaveLength(2);
    journal.flushed(first as never);
    await journal.release([first as never]);
    expect((await journal.seal()).map(({ events }) => events)).toEqual([1]);
    expect(segmentsIn(dir)).toHaveLength(1);
  });

  it('keeps nothing of a write that failed, refuses it, and goes on', async () => {
    let failing = false;
    const { journal, text } = await open({
      faults() {
        if (failing) throw new Error('ENOSPC: no space left on device');
      },
    });
    await journal.append(line('before'));
    failing = true;
    const refused = await journal.append(line('refused')).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(HttpError);
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '10' } });
    expect(journal.status().failedAt).toBeTypeOf('number');
    failing = false;
    await journal.append(line('after'));
    expect(text()).toBe('before\nafter\n');
    expect(journal.status().failedAt).toBeUndefined();
  });

  it('leaves nothing of a failed write in a sealed segment', async () => {
    let failing = false;
    const { journal } = await open({
      faults() {
        if (failing) throw new Error('EIO');
      },
    });
    await journal.append(line('before'));
    failing = true;
    await journal.append(line('refused')).catch(() => undefined);
    const [segment] = await journal.seal();
    expect(withoutChecksums(readFileSync(segment?.file ?? '', 'utf8'))).toBe('before\n');
  });

  it('lets who has used up their share wait for a flush, asks for one, and lets others pass by', async () => {
    const onFull = vi.fn();
    const { journal, text } = await open({ shares: journalShares({ softBytes: 1000 }), onFull });
    await journal.append(line('x'.repeat(499)));
    expect(onFull).not.toHaveBeenCalled();
    const waiting = ['first', 'second'].map((text) => journal.append(line(text)));
    await journal.append(line('passes by', 'other'));
    expect(onFull).toHaveBeenCalled();
    expect(text()).toMatch(/^x+\npasses by\n$/);
    expect(journal.status()).toMatchObject({
      waitingBytes: 13,
      unflushedBytes: 510 + 2 * CHECKSUM_BYTES,
    });
    for (const segment of await journal.seal()) journal.flushed(segment);
    await Promise.all(waiting);
    expect(text()).toMatch(/passes by\nfirst\nsecond\n$/);
    expect(journal.status()).toMatchObject({
      waitingBytes: 0,
      unflushedBytes: 13 + 2 * CHECKSUM_BYTES,
    });
  });

  it('writes who has little in between who has much, and keeps the order of each', async () => {
    const { journal, text } = await open();
    const large = Array.from({ length: 40 }, (_, n) => line(`${n}`.padEnd(1 << 20), 'large'));
    const small = Array.from({ length: 40 }, (_, n) => line(`${n}`, 'small'));
    await Promise.all([...large, ...small].map((one) => journal.append(one)));
    const lengths = text().split('\n').slice(0, -1);
    expect(lengths.findIndex(({ length }) => length < 10)).toBe(1);
    const [many, few] = [1, 0].map((much) =>
      lengths.filter(({ length }) => Number(length > 10) === much).map(Number),
    );
    expect(many).toEqual(large.map((_, n) => n));
    expect(few).toEqual(small.map((_, n) => n));
  });

  it('refuses with 503 and Retry-After who has too much waiting in memory, and nobody else', async () => {
    const { journal } = await open({ shares: journalShares({ softBytes: 100, hardBytes: 100 }) });
    await journal.append(line('x'.repeat(49)));
    const waiting = Array.from({ length: 5 }, () => journal.append(line('x'.repeat(9))));
    await expect(journal.append(line('y'.repeat(9)))).rejects.toMatchObject({
      status: 503,
      headers: { 'retry-after': '2' },
    });
    await journal.append(line('z'.repeat(9), 'other'));
    for (const left of await journal.seal()) journal.flushed(left);
    await Promise.all(waiting.slice(0, 2));
    for (const left of await journal.seal()) journal.flushed(left);
    await Promise.all(waiting);
  });

  it('refuses who has waited too long for room, and never writes it afterwards', async () => {
    const later = timeStands();
    const { journal, text } = await open({ shares: journalShares({ softBytes: 1000 }) });
    await journal.append(line('x'.repeat(499)));
    const late = journal.append(line('late'));
    await journal.append(line('passes by', 'other'));
    later(25_000);
    await expect(late).rejects.toMatchObject({ status: 503 });
    expect(journal.status().waitingBytes).toBe(0);
    for (const segment of await journal.seal()) journal.flushed(segment);
    await journal.append(line('next'));
    expect(text()).toMatch(/^x+\npasses by\nnext\n$/);
  });

  it('refuses at once who would wait for a flush that fails', async () => {
    const shares = journalShares({ softBytes: 1000 });
    let isStuck = false;
    const { journal } = await open({ shares, isStuck: () => isStuck });
    await journal.append(line('x'.repeat(499)));
    const waited = journal.append(line('waited'));
    await journal.append(line('passes by', 'other'));
    isStuck = true;
    const came = journal.append(line('came'));
    for (const refused of [waited, came]) {
      await expect(refused).rejects.toMatchObject({ status: 503 });
    }
    await journal.append(line('passes by', 'other'));
  });

  it('refuses what a disk that hangs does not take, and cuts it off should it be taken later', async () => {
    const later = timeStands();
    const { journal, text, dir } = await open();
    await journal.append(line('before'));
    const handle = await openFile(path.join(dir, readdirSync(dir)[0] ?? ''));
    const prototype = Object.getPrototypeOf(handle) as typeof handle;
    await handle.close();
    const hanging = Promise.withResolvers<undefined>();
    const begun = Promise.withResolvers<undefined>();
    const sync = vi.spyOn(prototype, 'datasync').mockImplementationOnce(() => {
      begun.resolve(undefined);
      return hanging.promise;
    });
    onTestFinished(() => sync.mockRestore());
    const refused = journal.append(line('hangs'));
    await begun.promise;
    later(15_000);
    await expect(refused).rejects.toMatchObject({ status: 503 });
    expect(journal.status().failedAt).toBeDefined();

    hanging.resolve(undefined);
    await journal.append(line('after'));
    expect(text()).toBe('before\nafter\n');
    expect(journal.status()).toMatchObject({ failedAt: undefined, acknowledged: 2 });
  });

  it('writes what waits before it closes, and takes nothing more', async () => {
    const { journal, text } = await open();
    const appended = journal.append(line('last'));
    await journal.close();
    await appended;
    expect(text()).toBe('last\n');
    await expect(journal.append(line('late'))).rejects.toMatchObject({ status: 503 });
  });
});
