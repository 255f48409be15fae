import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openJournal } from '../../server/events/journal.ts';
import type { JournalOptions } from '../../server/events/journal.ts';
import { HttpError } from '../../server/platform/errors.ts';
import { silentLog } from '../../server/platform/log.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const line = (text: string) => ({ pieces: [`${text}\n`], bytes: text.length + 1, events: 1 });

async function open(options: Partial<JournalOptions> = {}) {
  const dir = options.dir ?? tempDir();
  const journal = await openJournal({
    clock: { now: () => Date.UTC(2026, 0, 1) },
    faults: () => undefined,
    log: silentLog,
    ...options,
    dir,
  });
  const text = () =>
    readdirSync(dir)
      .sort()
      .map((name) => readFileSync(path.join(dir, name), 'utf8'))
      .join('');
  return { journal, dir, text };
}

describe('the journal', () => {
  it('has a line on disk, synced, when its append is done', async () => {
    const points: string[] = [];
    const { journal, text } = await open({ faults: (point) => points.push(point) });
    await journal.append(line('{"a":1}'));
    expect(text()).toBe('{"a":1}\n');
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
    await journal.append({ pieces, bytes: 24, events: 1 });
    expect(text()).toBe('{"a":"é😀","b":"ü"}\n');
  });

  it('hands out what was acknowledged when it is sealed, and writes on into a new segment', async () => {
    const { journal, dir } = await open();
    await journal.append(line('one'));
    const [first, ...none] = await journal.seal();
    expect(none).toEqual([]);
    expect(first).toMatchObject({ events: 1, bytes: 4, longestLine: 4 });
    expect(readFileSync(first?.file ?? '', 'utf8')).toBe('one\n');
    await journal.append(line('two'));
    expect((await journal.seal()).map(({ name }) => name)).toHaveLength(2);
    expect(readdirSync(dir)).toHaveLength(2);
    journal.flushed(first as never);
    await journal.remove([first as never]);
    expect((await journal.seal()).map(({ events }) => events)).toEqual([1]);
    expect(readdirSync(dir)).toHaveLength(1);
  });

  it('finds what an earlier run left, and cuts off a torn last line', async () => {
    const dir = tempDir();
    const before = await open({ dir });
    await before.journal.append(line('{"whole":1}'));
    await before.journal.seal();
    await before.journal.append(line('{"second":2}'));
    const torn = path.join(dir, readdirSync(dir).sort().at(-1) ?? '');
    writeFileSync(torn, '{"second":2}\n{"torn":', { flag: 'w' });
    const after = await open({ dir });
    const segments = await after.journal.seal();
    expect(segments.reduce((sum, { events }) => sum + events, 0)).toBe(2);
    expect(after.text().trim().split('\n').sort()).toEqual(['{"second":2}', '{"whole":1}']);
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
    expect(readFileSync(segment?.file ?? '', 'utf8')).toBe('before\n');
  });

  it('lets requests wait when the flush cannot keep up, and goes on when it can', async () => {
    const { journal } = await open({ softBytes: 20 });
    await journal.append(line('x'.repeat(30)));
    const done = vi.fn();
    const waiting = journal.append(line('waits')).then(done);
    const [segment] = await journal.seal();
    expect(done).not.toHaveBeenCalled();
    journal.flushed(segment as never);
    await waiting;
    expect(done).toHaveBeenCalledOnce();
  });

  it('refuses with 503 and Retry-After when too much waits in memory', async () => {
    const { journal } = await open({ softBytes: 1, hardBytes: 100 });
    await journal.append(line('first'));
    const waiting = Array.from({ length: 9 }, () => journal.append(line('x'.repeat(10))));
    await expect(journal.append(line('y'.repeat(10)))).rejects.toMatchObject({
      status: 503,
      headers: { 'retry-after': '2' },
    });
    const [segment] = await journal.seal();
    journal.flushed(segment as never);
    await Promise.all(waiting.slice(0, 1));
    for (const left of await journal.seal()) journal.flushed(left);
    await Promise.all(waiting);
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
