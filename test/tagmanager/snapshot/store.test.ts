import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../server/platform/database.ts';
import { noFaults } from '../../../server/platform/faults.ts';
import { silentLog } from '../../../server/platform/log.ts';
import type { ObjectDifference, SnapshotView } from '../../../server/tagmanager/snapshot/schema.ts';
import { createSnapshotStore } from '../../../server/tagmanager/snapshot/store.ts';
import type { Snapshot } from '../../../server/tagmanager/snapshot/store.ts';
import { snapshotTables } from '../../../server/tagmanager/snapshot/tables.ts';
import { uuid } from '../../helpers/alerts.ts';
import { START } from '../../helpers/identity-parts.ts';
import { tempDir } from '../../helpers/temp-dir.ts';
import { anObject, bigContainer, installed, objects } from './objects.ts';
import { CHOSEN, liveOf } from './parts.ts';

/** What has been lost on the way to a database and back before. */
const TEXTS = [
  ...['', ' ', '\uFEFFmark', 'a\u0000b', '\ud800', '\udc00\ud800', '😀', "'; DROP TABLE x; --"],
  ...['"', '\\', '\\u0000', '\n\r\n', '$1', '{{_event}}', ']]>', '__proto__', '\u2028', '1e400'],
];

async function openStore(dir = tempDir()) {
  const clock = { now: () => START };
  const log = silentLog;
  const database = await openDatabase({
    dir,
    migrations: snapshotTables,
    clock,
    faults: noFaults,
    log,
  });
  onTestFinished(() => database.close());
  return { dir, database, store: createSnapshotStore(database) };
}

const viewOf = (n: number, given: Partial<SnapshotView> = {}): SnapshotView => ({
  id: uuid(n),
  taken_at: new Date(START + n).toISOString(),
  of: CHOSEN,
  ...{ tag_count: 1, trigger_count: 1, variable_count: 0, built_in_variable_count: 0 },
  ...{ template_count: 1, has_unpublished_changes: false, unpublished_count: 0 },
  ...{ merge_conflict_count: 0, template_present: false, tag_active: false },
  ...{ templates: [], tags: [], live: null, requests: 8, previous_taken_at: null },
  difference_count: 0,
  ...given,
});

const snapshotOf = (n: number, given: Partial<Snapshot> = {}): Snapshot => ({
  view: viewOf(n),
  objects: installed(),
  unpublished: [{ kind: 'tag', id: '70', status: 'added' }],
  live: { version_id: '12', name: 'Twelve', objects: liveOf().objects },
  ...given,
});

const difference = (name: string): ObjectDifference => ({
  ...{ change: 'added', kind: 'tag', id: '1', name },
  fields: [{ field: 'Name', before: null, after: name }],
});

describe('the store of snapshots', () => {
  it('gives back what it was given, also after a start', async () => {
    const { dir, database, store } = await openStore();
    expect(await store.newest('a')).toBeUndefined();
    const given = snapshotOf(1);
    await store.replace('a', given, [difference('x')]);
    expect(await store.newest('a')).toBe(given);
    await database.close();
    const again = await openStore(dir);
    expect(await again.store.newest('a')).toEqual(given);
    expect(await again.store.differences('a', uuid(1))).toEqual([difference('x')]);
    expect(await again.store.newest('a')).toBe(await again.store.newest('a'));
  });

  it('keeps whatever text a container has', async () => {
    const { dir, database, store } = await openStore();
    const tag = TEXTS.map((name, i) => anObject('tag', `${i}`, { name, notes: name.repeat(50) }));
    const given = snapshotOf(1, { objects: objects({ tag }), live: null, unpublished: [] });
    await store.replace('a', given, TEXTS.map(difference));
    await database.close();
    const again = await openStore(dir);
    expect(await again.store.newest('a')).toEqual(given);
    expect(await again.store.differences('a', uuid(1))).toEqual(TEXTS.map(difference));
  });

  it('keeps a big container in its order', async () => {
    const { dir, database, store } = await openStore();
    const big = bigContainer({ tags: 800, triggers: 400, variables: 600 });
    await store.replace('a', snapshotOf(1, { objects: big }), []);
    await database.close();
    const again = await openStore(dir);
    expect((await again.store.newest('a'))?.objects).toEqual(big);
  });

  it('has the objects of the newest only, and remembers 50 of each tenant', async () => {
    const { database, store } = await openStore();
    await store.replace('b', snapshotOf(99), [difference('of b')]);
    for (let n = 1; n <= 53; n++) await store.replace('a', snapshotOf(n), [difference(`${n}`)]);
    const earlier = await store.earlier('a');
    expect(earlier).toHaveLength(50);
    expect(earlier[0]).toEqual(viewOf(53));
    expect(earlier.at(-1)).toEqual(viewOf(4));
    expect(await store.differences('a', uuid(4))).toEqual([difference('4')]);
    expect(await store.differences('a', uuid(3))).toEqual([]);
    expect(await store.differences('a', uuid(99))).toEqual([]);
    expect(await store.earlier('b')).toHaveLength(1);
    const [parts] = await database.read((sql) =>
      sql.rows<{ count: number }>(
        `SELECT count(*)::DOUBLE AS count FROM snapshot_parts WHERE tenant = 'a'`,
      ),
    );
    expect(parts?.count).toBe(5);
  });

  it('takes the one that came last for the newest, whatever the clock said', async () => {
    const { dir, database, store } = await openStore();
    await store.replace('a', snapshotOf(5), []);
    await store.replace('a', snapshotOf(2), []);
    await database.close();
    expect((await (await openStore(dir)).store.newest('a'))?.view).toEqual(viewOf(2));
  });

  it('forgets all of one tenant, and nothing of others', async () => {
    const { store } = await openStore();
    await store.replace('a', snapshotOf(1), []);
    await store.replace('b', snapshotOf(2), []);
    await store.forget('a');
    expect(await store.newest('a')).toBeUndefined();
    expect(await store.earlier('a')).toEqual([]);
    expect((await store.newest('b'))?.view.id).toBe(uuid(2));
  });

  it('replaces all or nothing', async () => {
    const { database, store } = await openStore();
    await store.replace('a', snapshotOf(1), []);
    const failing = createSnapshotStore({
      ...database,
      write: (work) =>
        database.write((sql) =>
          work({
            rows: (statement, ...values) => sql.rows(statement, ...values),
            run: (statement, ...values) =>
              statement.startsWith('INSERT INTO snapshot_parts') && values.includes(2)
                ? Promise.reject(new Error('The plug was pulled'))
                : sql.run(statement, ...values),
          }),
        ),
    });
    await expect(failing.replace('a', snapshotOf(2), [])).rejects.toThrow('The plug was pulled');
    expect((await failing.newest('a'))?.view.id).toBe(uuid(1));
    expect(await createSnapshotStore(database).newest('a')).toEqual(snapshotOf(1));
    expect(await store.earlier('a')).toHaveLength(1);
  });

  it('shows what replaced it to those who asked while that was under way', async () => {
    const { dir, database, store } = await openStore();
    await store.replace('a', snapshotOf(1), []);
    await database.close();
    const { store: fresh } = await openStore(dir);
    const [early] = await Promise.all([fresh.newest('a'), fresh.replace('a', snapshotOf(2), [])]);
    expect([uuid(1), uuid(2)]).toContain(early?.view.id);
    expect((await fresh.newest('a'))?.view.id).toBe(uuid(2));
    const [, gone] = await Promise.all([fresh.forget('a'), fresh.newest('a')]);
    expect(gone === undefined || gone.view.id === uuid(2)).toBe(true);
    expect(await fresh.newest('a')).toBeUndefined();
  });

  it('asks again when reading has failed', async () => {
    const { dir, database, store } = await openStore();
    await store.replace('a', snapshotOf(1), []);
    await database.close();
    const again = await openStore(dir);
    let failing = true;
    const flaky = createSnapshotStore({
      ...again.database,
      read: (work) => (failing ? Promise.reject(new Error('Not now')) : again.database.read(work)),
    });
    await expect(flaky.newest('a')).rejects.toThrow('Not now');
    failing = false;
    expect(await flaky.newest('a')).toEqual(snapshotOf(1));
  });
});
