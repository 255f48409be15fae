import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openEvents } from '../../server/events/events.ts';
import { createKept } from '../../server/events/kept.ts';
import { openSegmentList } from '../../server/events/segment-list.ts';
import { eventTables } from '../../server/events/tables.ts';
import { openDatabase } from '../../server/platform/database.ts';
import { noFaults } from '../../server/platform/faults.ts';
import { silentLog } from '../../server/platform/log.ts';
import { openStore, textOf } from '../helpers/event-store.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const HOUR = 3_600_000;
const time = { at: Date.UTC(2026, 0, 31, 12) };
const clock = { now: () => time.at };

type Store = Awaited<ReturnType<typeof openStore>>;

const event = (n: number) => ({ source: 'a', event_type: 'x', data: { n } });

/** Each in a segment of its own, in the database and in a checkpoint. */
async function taken(store: Store, numbers: readonly number[]): Promise<void> {
  for (const n of numbers) {
    await store.intake.send([event(n)]);
    await store.flusher.flush();
  }
  await store.flusher.checkpoint();
}

async function numbersIn({ flusher, store }: Store): Promise<number[]> {
  await flusher.flush();
  const text = await textOf(await store.list('tenant', { skip: 0, limit: 1000 }));
  return (JSON.parse(text) as { data: { n: number } }[])
    .map(({ data }) => data.n)
    .sort((a, b) => a - b);
}

const filesIn = (dir: string, ...parts: string[]) => readdirSync(path.join(dir, ...parts)).sort();
const keptIn = (dir: string) => filesIn(dir, 'journal', 'kept').filter((name) => name !== 'list');

/** A data directory as it is at this moment, as a kill would leave it. */
function killed(dir: string): string {
  const copy = tempDir();
  cpSync(dir, copy, { recursive: true });
  return copy;
}

/** Without its database, or with an older one. */
function withDatabase(dir: string, older?: string): string {
  for (const name of filesIn(dir).filter((file) => file.startsWith('events.'))) {
    rmSync(path.join(dir, name));
  }
  if (older !== undefined) cpSync(older, path.join(dir, 'events.duckdb'));
  return dir;
}

describe('the kept journal', () => {
  it('has what a checkpoint holds, and brings a lost database back to now', async () => {
    const before = await openStore(clock);
    await taken(before, [1, 2, 3]);
    expect(keptIn(before.dir)).toHaveLength(3);
    expect(filesIn(before.dir, 'journal')).toEqual(['kept', 'list']);
    const after = await openStore(clock, withDatabase(killed(before.dir)));
    expect(await numbersIn(after)).toEqual([1, 2, 3]);
    expect(after.notices).toEqual([]);
  });

  it('is compressed into one file after an hour, and is worth as much', async () => {
    const before = await openStore(clock);
    await taken(before, [1, 2, 3]);
    await before.kept.compress({ isBusy: false });
    expect(keptIn(before.dir)).toHaveLength(3);
    time.at += HOUR;
    await before.kept.compress({ isBusy: false });
    expect(keptIn(before.dir)).toEqual([expect.stringMatching(/\+3\.ndjson\.zst$/)]);
    await taken(before, [4]);
    const after = await openStore(clock, withDatabase(killed(before.dir)));
    expect(await numbersIn(after)).toEqual([1, 2, 3, 4]);
    const again = await openStore(clock, killed(after.dir));
    expect(await numbersIn(again)).toEqual([1, 2, 3, 4]);
  });

  it('brings an older database up to now, whichever of it that knows', async () => {
    const store = await openStore(clock);
    const older: string[] = [];
    const keepOlder = async () => {
      await store.database.checkpoint();
      older.push(path.join(killed(store.dir), 'events.duckdb'));
    };
    await taken(store, [1, 2]);
    await keepOlder();
    await taken(store, [3]);
    await keepOlder();
    time.at += HOUR;
    await store.kept.compress({ isBusy: false });
    await keepOlder();
    await taken(store, [4]);
    for (const file of older) {
      const after = await openStore(clock, withDatabase(killed(store.dir), file));
      expect(await numbersIn(after)).toEqual([1, 2, 3, 4]);
    }
  });

  it('stores nothing twice wherever a kill interrupts its compression', async () => {
    const store = await openStore(clock);
    await taken(store, [1, 2]);
    const raw = killed(store.dir);
    time.at += HOUR;
    await store.kept.compress({ isBusy: false });
    const [bundle] = keptIn(store.dir);
    const bundleFile = path.join(store.dir, 'journal', 'kept', bundle ?? '');

    // The bundle is there, its segments are too; or they are gone, and still known by their own names.
    const both = killed(raw);
    cpSync(bundleFile, path.join(both, 'journal', 'kept', bundle ?? ''));
    const unfolded = killed(both);
    for (const name of keptIn(raw)) rmSync(path.join(unfolded, 'journal', 'kept', name));
    for (const dir of [both, unfolded]) {
      for (const state of [killed(dir), withDatabase(killed(dir))]) {
        const after = await openStore(clock, state);
        expect(await numbersIn(after)).toEqual([1, 2]);
        await after.kept.compress({ isBusy: false });
        await after.close();
        expect(await numbersIn(await openStore(clock, withDatabase(killed(state))))).toEqual([
          1, 2,
        ]);
      }
    }
  });

  it('waits with compressing while much is coming in', async () => {
    const store = await openStore(clock);
    await taken(store, [1]);
    time.at += HOUR;
    await store.kept.compress({ isBusy: true });
    expect(keptIn(store.dir)).toEqual([expect.stringMatching(/\.ndjson$/)]);
  });

  it('forgets what a backup holds, and nothing else', async () => {
    const store = await openStore(clock);
    await taken(store, [1, 2]);
    const held = await store.store.knownSegments();
    await taken(store, [3]);
    await store.kept.forget(held);
    expect(keptIn(store.dir)).toHaveLength(1);
    expect(await numbersIn(store)).toEqual([1, 2, 3]);
    await taken(store, [4]);
    expect(await numbersIn(await openStore(clock, killed(store.dir)))).toEqual([1, 2, 3, 4]);
  });

  it('gives way where the disk is nearly full, and says what is missing if it is needed then', async () => {
    let store = await openStore(clock);
    await taken(store, [1, 2]);
    const before = killed(store.dir);
    const dir = path.join(store.dir, 'journal', 'kept');
    const say = { asideDir: '', notices: [], log: silentLog };
    const list = await openSegmentList(dir);
    await createKept({ dir, list, store: store.store, clock, say, freeShare: 2 }).compress({
      isBusy: true,
    });
    expect(keptIn(store.dir)).toEqual(['dropped']);
    await store.close();
    store = await openStore(clock, store.dir);
    await taken(store, [3]);
    expect(await numbersIn(await openStore(clock, killed(store.dir)))).toEqual([1, 2, 3]);
    const after = await openStore(clock, withDatabase(killed(store.dir)));
    expect(await numbersIn(after)).toEqual([3]);
    expect(after.notices).toEqual([expect.stringContaining('may be missing')]);
    expect(await numbersIn(await openStore(clock, withDatabase(before)))).toEqual([1, 2]);
    await store.kept.forget(await store.store.knownSegments());
    expect(keptIn(store.dir)).toEqual([]);
  });

  it('says which of its files is missing, where it is needed', async () => {
    const store = await openStore(clock);
    await taken(store, [1, 2]);
    const without = (dir: string, place: number) => {
      rmSync(path.join(dir, 'journal', 'kept', keptIn(dir)[place] ?? ''));
      return dir;
    };
    const MISSING = expect.stringContaining('of the kept journal is missing') as string;
    const told = async (dir: string, numbers: number[], notices: unknown[]) => {
      const after = await openStore(clock, dir);
      expect(await numbersIn(after)).toEqual(numbers);
      expect(after.notices).toEqual(notices);
      await after.close();
      const again = await openStore(clock, dir);
      expect(await numbersIn(again)).toEqual(numbers);
      expect(again.notices).toEqual([]);
      await again.close();
    };
    await told(without(killed(store.dir), 0), [1, 2], []);
    await told(without(withDatabase(killed(store.dir)), 0), [2], [MISSING]);

    time.at += HOUR;
    await store.kept.compress({ isBusy: false });
    await taken(store, [3]);
    await told(without(withDatabase(killed(store.dir)), 0), [3], [MISSING]);
    await told(without(withDatabase(killed(store.dir)), 1), [1, 2], [MISSING]);
    await told(withDatabase(killed(store.dir)), [1, 2, 3], []);

    await store.kept.forget(await store.store.knownSegments());
    await told(withDatabase(killed(store.dir)), [], []);
  });

  it('that is damaged is set aside where it is needed, and this is said', async () => {
    const store = await openStore(clock);
    await taken(store, [1, 2]);
    time.at += HOUR;
    await store.kept.compress({ isBusy: false });
    await taken(store, [3]);
    const [bundle, segment] = keptIn(store.dir).sort((a, b) => b.length - a.length);
    const state = withDatabase(killed(store.dir));
    truncateSync(path.join(state, 'journal', 'kept', bundle ?? ''), 20);
    const file = path.join(state, 'journal', 'kept', segment ?? '');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"n":3', '"n":8'));
    const after = await openStore(clock, state);
    expect(await numbersIn(after)).toEqual([]);
    expect(filesIn(state, 'set-aside')).toHaveLength(2);
    expect(after.notices).toEqual([
      expect.stringContaining('kept journal was damaged'),
      expect.stringContaining('1 request'),
    ]);
  });
});

describe('the journal', () => {
  it('that is cut back again and again leaves nothing behind but what is kept', async () => {
    const store = await openStore(clock);
    for (const n of [1, 2, 3]) await taken(store, [n]);
    expect(readFileSync(path.join(store.dir, 'journal', 'list'), 'utf8')).toBe('');
    await store.close();
    expect(filesIn(store.dir, 'journal')).toEqual(['kept', 'list']);
  });

  it('says which segment is missing or cut short, unless the database holds it', async () => {
    const store = await openStore(clock);
    for (const n of [1, 2, 3]) {
      await store.intake.send([event(n), event(n + 10)]);
      await store.intake.send([event(n + 20)]);
      await store.journal.seal();
    }
    const state = killed(store.dir);
    const dir = path.join(state, 'journal');
    const [first, second] = filesIn(dir).filter((name) => name.endsWith('.ndjson'));
    rmSync(path.join(dir, first ?? ''));
    const file = path.join(dir, second ?? '');
    writeFileSync(file, readFileSync(file, 'utf8').split('\n').slice(0, 1).join('\n') + '\n');
    const after = await openStore(clock, state);
    expect(await numbersIn(after)).toEqual([2, 3, 12, 13, 23]);
    expect(after.notices).toEqual([
      expect.stringContaining('is missing'),
      expect.stringContaining('was cut short'),
    ]);
    await after.close();
    expect((await openStore(clock, state)).notices).toEqual([]);

    await store.flusher.flush();
    const stored = killed(store.dir);
    rmSync(path.join(stored, 'journal', first ?? ''));
    expect((await openStore(clock, stored)).notices).toEqual([]);
  });

  it('goes on when a segment is deleted or cut short while it runs, and says so', async () => {
    const store = await openStore(clock);
    const next = async (n: number) => {
      await store.intake.send([event(n)]);
      await store.intake.send([event(n + 10)]);
      return (await store.journal.seal()).at(-1)?.file ?? '';
    };
    rmSync(await next(1));
    const torn = await next(2);
    truncateSync(torn, readFileSync(torn).length - 9);
    const cutBetweenLines = await next(3);
    truncateSync(cutBetweenLines, readFileSync(cutBetweenLines).indexOf(10) + 1);
    truncateSync(await next(4), 0);
    const flipped = await next(5);
    writeFileSync(flipped, readFileSync(flipped, 'utf8').replace('"n":15', '"n":"5'));
    await next(6);
    expect(await numbersIn(store)).toEqual([2, 3, 5, 6, 16]);
    const CUT = expect.stringContaining('was cut short') as string;
    expect(store.notices).toEqual([
      expect.stringContaining('is missing'),
      ...[CUT, CUT, CUT],
      expect.stringContaining('1 request'),
    ]);
    await store.flusher.checkpoint();
    expect(filesIn(store.dir, 'journal')).toEqual(['kept', 'list']);
    expect((await openStore(clock, killed(store.dir))).notices).toEqual([]);
  });

  it('says that its list is missing once there was something in it', async () => {
    const store = await openStore(clock);
    expect(store.notices).toEqual([]);
    await taken(store, [1]);
    const state = killed(store.dir);
    rmSync(path.join(state, 'journal'), { recursive: true });
    const after = await openStore(clock, state);
    expect(after.notices).toEqual([expect.stringContaining('list of the journal')]);
    await after.close();
    expect((await openStore(clock, state)).notices).toEqual([]);
  });

  it('is begun anew when its folder is moved away while it runs', async () => {
    const store = await openStore(clock);
    await taken(store, [1]);
    await store.journal.seal();
    const dir = path.join(store.dir, 'journal');
    renameSync(dir, `${dir}-moved`);
    await store.intake.send([event(2)]);
    await store.journal.seal();
    expect(await numbersIn(await openStore(clock, killed(store.dir)))).toEqual([1, 2]);
    await taken(store, [3]);
    expect(await numbersIn(store)).toEqual([1, 2, 3]);
    expect(keptIn(store.dir)).toHaveLength(2);
    expect(store.notices).toEqual([]);
  });

  it('that cannot be moved into the database is told only for as long', async () => {
    const before = await openStore(clock);
    await before.intake.send([event(1)]);
    const dir = killed(before.dir);
    let isFailing = true;
    const faults = () => {
      if (isFailing) throw new Error('EIO: i/o error');
    };
    const shared = { clock, log: silentLog };
    const database = await openDatabase({
      ...{ ...shared, dir, migrations: eventTables, faults: noFaults },
    });
    const events = await openEvents({ ...shared, dataDir: dir, database, faults });
    onTestFinished(async () => {
      await events.close();
      await database.close();
    });
    expect(events.notices).toEqual([expect.stringContaining('could not be moved')]);
    isFailing = false;
    await events.flusher.flush();
    expect(events.notices).toEqual([]);
  });

  it('clears away what a crash left half-written', async () => {
    const store = await openStore(clock);
    await taken(store, [1]);
    await store.close();
    const dir = path.join(store.dir, 'journal');
    const [kept] = keptIn(store.dir);
    writeFileSync(path.join(dir, 'list.1234'), 'half');
    writeFileSync(path.join(dir, `${kept ?? ''}.trial.tmp`), 'half');
    writeFileSync(path.join(dir, 'kept', 'x+2.ndjson.zst.77'), 'half');
    mkdirSync(path.join(dir, 'pieces-abc'));
    for (const name of ['events.duckdb.compacting', 'events.duckdb.restored']) {
      writeFileSync(path.join(store.dir, name), 'half');
    }
    await openStore(clock, store.dir);
    expect(filesIn(store.dir, 'journal')).toEqual(['kept', 'list']);
    expect(keptIn(store.dir)).toEqual([kept]);
    expect(filesIn(store.dir).filter((name) => /compacting|restored/.test(name))).toEqual([]);
  });
});
