import { describe, expect, it } from 'vitest';
import type { Database } from '../../../server/platform/database.ts';
import { create, createWorld, emptyDatabase, html, update } from './parts.ts';
import type { World } from './parts.ts';

const tag = (name: string) => create('tag', html(name));
const several = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => tag(`Tag ${from + i}`));

/** Counts the objects that are read out of it. */
function counting(database: Database) {
  const counts = { bodies: 0 };
  const read: Database['read'] = (work) =>
    database.read((sql) =>
      work({
        ...sql,
        async rows<T>(...asked: Parameters<typeof sql.rows>) {
          const rows = await sql.rows<T>(...asked);
          for (const row of rows as { after?: unknown }[]) if (row.after) counts.bodies++;
          return rows;
        },
      }),
    );
  return { database: { ...database, read }, counts };
}

const list = (world: World, limit: number) =>
  world.begin().list(world.tenantId, { status: 'open', skip: 0, limit });

describe('proposals without end', () => {
  it('are refused once there are as many as can be decided on, until some are', async () => {
    const world = await createWorld();
    world.shoot();
    const changes = world.begin();
    await changes.propose(world.asking(), [tag('Tag')]);
    await world.database.write((sql) =>
      sql.run(`INSERT INTO tag_manager_changes
        SELECT c.* REPLACE (id || i AS id, name || i AS name, seq + i AS seq)
        FROM tag_manager_changes c, range(1, 999) AS copies(i)`),
    );
    await changes.propose(world.asking(), [tag('The last one')]);
    const words =
      'At most 1,000 proposals can be open at a time, and 1,000 are: accept or reject some first';
    for (const more of [
      () => changes.propose(world.asking(), [tag('One more')]),
      () => changes.install(world.asking()),
    ]) {
      await expect(more()).rejects.toMatchObject({ status: 409, message: words });
    }
    const ids = (await list(world, 3)).map(({ id }) => id);
    await changes.reject(world.asking(), ids);
    expect(await changes.install(world.asking())).toHaveLength(3);
    // What takes the place of others needs no more room.
    expect(await changes.install(world.asking(), 'https://other.example')).toHaveLength(3);
  });

  it('are listed without reading more of them than are shown', async () => {
    const { database, counts } = counting(await emptyDatabase());
    const world = await createWorld(database);
    world.container.put('variable', { name: 'Price', type: 'v' });
    world.container.put('tag', { name: 'Uses', type: 'html', notes: '{{Price}}' });
    world.shoot();
    const body = { name: 'Uses', type: 'html', notes: '{{Price}}, changed' };
    await world
      .begin()
      .propose(world.asking(), [...several(20), update('tag', '2', body), ...several(4, 20)]);
    counts.bodies = 0;
    expect((await list(world, 3)).map(({ name }) => name)).toEqual(['Tag 23', 'Tag 22', 'Tag 21']);
    expect(counts.bodies).toBe(3);
  });
});
