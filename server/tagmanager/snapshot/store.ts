import type { Database } from '../../platform/database.ts';
import type { Sql } from '../../platform/sql.ts';
import { inTurns } from '../../platform/turns.ts';
import { kinds } from '../api/schema.ts';
import type { Definition, Kind } from '../api/schema.ts';
import type { ObjectDifference, SnapshotView } from './schema.ts';

/** What the workspace has that was not published, or not yet. */
export interface Unpublished {
  kind: Kind | 'other';
  id: string;
  status: 'added' | 'updated' | 'deleted';
}

export interface Live {
  version_id: string;
  name: string;
  /** Only what is ours, and what that fires on. */
  objects: Record<Kind, Definition[]>;
}

export interface Snapshot {
  view: SnapshotView;
  objects: Record<Kind, Definition[]>;
  unpublished: Unpublished[];
  live: Live | null;
}

interface Part {
  name: string;
  content: string;
}

/** A text of this length is parsed in a few milliseconds. */
const PART = 256 * 1024;
const KEPT = 50;
/** Of so many tenants the objects stay in memory, those that were asked for last. */
const AT_HAND = 3;

export function createSnapshotStore(database: Database) {
  const atHand = new Map<string, Promise<Snapshot | undefined>>();

  function keep(tenant: string, snapshot: Promise<Snapshot | undefined>): void {
    atHand.delete(tenant);
    atHand.set(tenant, snapshot);
    for (const oldest of [...atHand.keys()].slice(0, -AT_HAND)) atHand.delete(oldest);
  }

  async function load(tenant: string): Promise<Snapshot | undefined> {
    const parts = await database.read((sql) => sql.rows<Part>(PARTS, tenant));
    const [summary, ...rest] = await inTurns(
      parts,
      ({ content }) => JSON.parse(content) as unknown,
    );
    if (summary === undefined) return undefined;
    const all = (name: string) => rest.filter((_, i) => parts[i + 1]?.name === name).flat();
    const objects = Object.fromEntries(kinds.map((kind) => [kind, all(kind)]));
    return {
      view: summary as SnapshotView,
      objects: objects as Record<Kind, Definition[]>,
      unpublished: all('unpublished') as Unpublished[],
      live: (all('live')[0] ?? null) as Live | null,
    };
  }

  return {
    newest(tenant: string): Promise<Snapshot | undefined> {
      const known = atHand.get(tenant);
      const snapshot = known ?? load(tenant);
      keep(tenant, snapshot);
      if (known === undefined) {
        // Before it is there, so that whatever replaces it meanwhile wins.
        snapshot.catch(() => {
          if (atHand.get(tenant) === snapshot) atHand.delete(tenant);
        });
      }
      return snapshot;
    },

    /** Between that snapshot and the one before it. */
    differences: (tenant: string, id: string): Promise<ObjectDifference[]> =>
      database.read(async (sql) => {
        const [row] = await sql.rows<{ differences: string }>(
          'SELECT differences FROM snapshots WHERE tenant = $1 AND id = $2::UUID',
          tenant,
          id,
        );
        return row ? (JSON.parse(row.differences) as ObjectDifference[]) : [];
      }),

    /** Those that are remembered, the newest first. */
    earlier: (tenant: string): Promise<SnapshotView[]> =>
      database.read(async (sql) => {
        const rows = await sql.rows<{ summary: string }>(
          'SELECT summary FROM snapshots WHERE tenant = $1 ORDER BY number DESC',
          tenant,
        );
        return rows.map(({ summary }) => JSON.parse(summary) as SnapshotView);
      }),

    async replace(
      tenant: string,
      snapshot: Snapshot,
      differences: readonly ObjectDifference[],
    ): Promise<void> {
      const parts = await partsOf(snapshot);
      const texts = await inTurns(differences, (one) => JSON.stringify(one));
      const { view } = snapshot;
      await database.write(async (sql) => {
        await sql.run(
          `INSERT INTO snapshots BY NAME
           SELECT $1 AS tenant, coalesce(max(number), 0) + 1 AS number, $2::UUID AS id,
                  make_timestamp_ms($3::BIGINT) AS taken_at, $4 AS summary, $5 AS differences
           FROM snapshots WHERE tenant = $1`,
          tenant,
          view.id,
          Date.parse(view.taken_at),
          JSON.stringify(view),
          `[${texts.join(',')}]`,
        );
        await replaceParts(sql, tenant, parts);
        await sql.run(
          `DELETE FROM snapshots WHERE tenant = $1 AND number + ${KEPT} <= (
             SELECT max(number) FROM snapshots WHERE tenant = $1)`,
          tenant,
        );
      });
      keep(tenant, Promise.resolve(snapshot));
    },

    async forget(tenant: string): Promise<void> {
      await database.write(async (sql) => {
        await sql.run('DELETE FROM snapshots WHERE tenant = $1', tenant);
        await sql.run('DELETE FROM snapshot_parts WHERE tenant = $1', tenant);
      });
      atHand.delete(tenant);
    },
  };
}

export type SnapshotStore = ReturnType<typeof createSnapshotStore>;

// One statement, so that what is replaced in between cannot be mixed with what replaces it.
const PARTS = `
  SELECT name, content FROM (
    SELECT 'summary' AS name, summary AS content, -1 AS place FROM snapshots
    WHERE tenant = $1 AND number = (SELECT max(number) FROM snapshots WHERE tenant = $1)
    UNION ALL SELECT name, content, place FROM snapshot_parts WHERE tenant = $1
  ) ORDER BY place`;

async function replaceParts(sql: Sql, tenant: string, parts: readonly Part[]): Promise<void> {
  await sql.run('DELETE FROM snapshot_parts WHERE tenant = $1', tenant);
  for (const [place, { name, content }] of parts.entries()) {
    await sql.run(
      'INSERT INTO snapshot_parts VALUES ($1, $2, $3, $4)',
      tenant,
      place,
      name,
      content,
    );
  }
}

async function partsOf({ objects, unpublished, live }: Snapshot): Promise<Part[]> {
  const all: [name: string, things: readonly unknown[]][] = [
    ...kinds.map((kind) => [kind, objects[kind]] as [string, unknown[]]),
    ['unpublished', unpublished],
    ['live', live === null ? [] : [live]],
  ];
  const parts: Part[] = [];
  for (const [name, things] of all) {
    const texts = await inTurns(things, (thing) => JSON.stringify(thing));
    parts.push(...inParts(texts).map((content) => ({ name, content })));
  }
  return parts;
}

function inParts(texts: readonly string[]): string[] {
  const parts: string[][] = [];
  let length = Infinity;
  for (const text of texts) {
    if (length + text.length > PART) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(text);
    length += text.length;
  }
  return parts.map((part) => `[${part.join(',')}]`);
}
