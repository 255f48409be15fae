import { storable } from '../../platform/sql.ts';
import type { Sql } from '../../platform/sql.ts';
import type { Definition, Kind } from '../api/schema.ts';
import type { ChangeAction, ChangeQuery, ChangeStatus } from './schema.ts';

/** Which workspace something is about; null where that was not kept yet. */
export interface Whereabouts {
  container: string;
  workspaceId: string | null;
  workspaceName: string | null;
}

/** A change as it is kept. Times are ISO 8601. */
export interface Change extends Whereabouts {
  id: string;
  madeFor: 'install' | null;
  /** It was to create what somebody else has made meanwhile, and would change theirs now. */
  takesOver: true | null;
  batch: string | null;
  action: ChangeAction;
  kind: Kind;
  objectId: string | null;
  name: string;
  before: Definition | null;
  after: Definition | null;
  current: Definition | null;
  status: ChangeStatus;
  needs: string[];
  problem: string | null;
  proposedAt: string;
  proposedBy: string;
  decidedAt: string | null;
  decidedBy: string | null;
  appliedAt: string | null;
}

/** All of a change but the objects, of which each can be large. */
export type Head = Omit<Change, 'before' | 'after' | 'current'>;

/** What an open change would make of an object. */
export type Intended = Pick<Change, 'kind' | 'action' | 'objectId' | 'after'>;

export interface ChangeFilter {
  ids?: readonly string[];
  statuses?: readonly ChangeStatus[];
  batch?: string;
}

export const OPEN: readonly ChangeStatus[] = ['proposed', 'accepted', 'conflict'];
const IS_OPEN = `status IN (${OPEN.map((status) => `'${status}'`).join(', ')})`;

const COLUMNS = {
  id: 'id',
  container: 'container',
  workspaceId: 'workspace',
  workspaceName: 'workspace_name',
  madeFor: 'made_for',
  takesOver: 'takes_over',
  batch: 'batch',
  action: 'action',
  kind: 'kind',
  objectId: 'object_id',
  name: 'name',
  before: 'before',
  after: 'after',
  current: 'current',
  status: 'status',
  needs: 'needs',
  problem: 'problem',
  proposedAt: 'proposed_at',
  proposedBy: 'proposed_by',
  decidedAt: 'decided_at',
  decidedBy: 'decided_by',
  appliedAt: 'applied_at',
} as const satisfies Record<keyof Change, string>;

type Column = keyof typeof COLUMNS;

const FIELDS = Object.keys(COLUMNS) as Column[];
const BODIES: ReadonlySet<Column> = new Set(['before', 'after', 'current']);
const AS_JSON: ReadonlySet<Column> = new Set([...BODIES, 'needs', 'takesOver']);
const HEAD_FIELDS = FIELDS.filter((field) => !BODIES.has(field));
const columns = (fields: readonly Column[]) =>
  fields.map((field) => `${COLUMNS[field]} AS "${field}"`).join(', ');

type Row = Partial<Record<Column, string | null>>;

function read(row: Row): unknown {
  const entries = (Object.entries(row) as [Column, string | null][]).map(([field, value]) => [
    field,
    AS_JSON.has(field) && value !== null ? (JSON.parse(value) as unknown) : value,
  ]);
  return Object.fromEntries(entries);
}

const changeOf = (row: Row) => read(row) as Change;

/** Whether the column is one of a list, which is given as JSON. */
const among = (column: 'id' | 'status', given: `$${number}`) =>
  `list_contains(from_json(${given}::JSON, '["VARCHAR"]'), ${column})`;

const matching = (
  sql: Sql,
  tenant: string,
  fields: readonly Column[],
  { ids, statuses, batch }: ChangeFilter,
): Promise<Row[]> =>
  sql.rows<Row>(
    `SELECT ${columns(fields)} FROM tag_manager_changes
     WHERE tenant = $1
       AND ($2::VARCHAR IS NULL OR ${among('id', '$2')})
       AND ($3::VARCHAR IS NULL OR ${among('status', '$3')})
       AND ($4::VARCHAR IS NULL OR batch = $4)
     ORDER BY seq`,
    tenant,
    ids === undefined ? null : JSON.stringify(ids),
    statuses === undefined ? null : JSON.stringify(statuses),
    batch ?? null,
  );

function stored(field: Column, change: Partial<Change>): string | null {
  const value = change[field] ?? null;
  if (typeof value === 'string') return storable(value);
  return value === null ? null : JSON.stringify(value);
}

async function setAll(
  sql: Sql,
  tenant: string,
  ids: readonly string[],
  to: Partial<Change>,
): Promise<void> {
  const fields = FIELDS.filter((field) => field in to);
  const places = fields.map((field, i) => `${COLUMNS[field]} = $${i + 3}`);
  await sql.run(
    `UPDATE tag_manager_changes SET ${places.join(', ')}
     WHERE tenant = $1 AND ${among('id', '$2')}`,
    tenant,
    JSON.stringify(ids),
    ...fields.map((field) => stored(field, to)),
  );
}

/** The changes of tenants, inside a transaction or a read that its caller began. */
export function changesOver(sql: Sql) {
  return {
    /** In the order in which they were proposed. */
    async some(tenant: string, filter: ChangeFilter): Promise<Change[]> {
      return (await matching(sql, tenant, FIELDS, filter)).map(changeOf);
    },

    /** The same, without the objects. */
    async heads(tenant: string, filter: ChangeFilter): Promise<Head[]> {
      const rows = await matching(sql, tenant, HEAD_FIELDS, filter);
      return rows.map((row) => read(row) as Head);
    },

    /** What open changes would make of objects; nothing stands in a template that counts. */
    async intended(tenant: string): Promise<Intended[]> {
      const rows = await sql.rows<Row>(
        `SELECT kind, action, object_id AS "objectId",
                CASE WHEN kind <> 'template' THEN after END AS "after"
         FROM tag_manager_changes
         WHERE tenant = $1 AND object_id IS NOT NULL AND ${IS_OPEN} ORDER BY seq`,
        tenant,
      );
      return rows.map((row) => read(row) as Intended);
    },

    /** Whose changes wait to be decided on, or to be written. */
    async tenantsWithOpen(): Promise<string[]> {
      const rows = await sql.rows<{ tenant: string }>(
        `SELECT DISTINCT tenant FROM tag_manager_changes WHERE ${IS_OPEN} ORDER BY tenant`,
      );
      return rows.map(({ tenant }) => tenant);
    },

    /** How many are not closed. */
    async open(tenant: string): Promise<number> {
      const [row] = await sql.rows<{ count: number }>(
        `SELECT count(*)::DOUBLE AS count FROM tag_manager_changes
         WHERE tenant = $1 AND ${IS_OPEN}`,
        tenant,
      );
      return row?.count ?? 0;
    },

    /** How many wait for somebody to decide on them. */
    async undecided(tenant: string): Promise<number> {
      const [row] = await sql.rows<{ count: number }>(
        `SELECT count(*)::DOUBLE AS count FROM tag_manager_changes
         WHERE tenant = $1 AND status IN ('proposed', 'conflict')`,
        tenant,
      );
      return row?.count ?? 0;
    },

    /** The newest first. */
    async page(tenant: string, { status, skip, limit }: ChangeQuery): Promise<Change[]> {
      const wanted = { all: 'true', open: IS_OPEN, closed: `NOT (${IS_OPEN})` };
      // Which ones they are is found out first, so that only their objects are read.
      const rows = await sql.rows<Row>(
        `SELECT ${columns(FIELDS)} FROM tag_manager_changes WHERE seq IN (
           SELECT seq FROM tag_manager_changes WHERE tenant = $1 AND ${wanted[status]}
           ORDER BY seq DESC LIMIT ${limit} OFFSET ${skip}
         ) ORDER BY seq DESC`,
        tenant,
      );
      return rows.map(changeOf);
    },

    async add(tenant: string, changes: readonly Change[]): Promise<void> {
      const names = FIELDS.map((field) => COLUMNS[field]).join(', ');
      const values = FIELDS.map((_, i) => `$${i + 2}`).join(', ');
      for (const change of changes) {
        await sql.run(
          `INSERT INTO tag_manager_changes (tenant, seq, ${names})
           SELECT $1, (SELECT coalesce(max(seq), 0) + 1 FROM tag_manager_changes), ${values}`,
          tenant,
          ...FIELDS.map((field) => stored(field, change)),
        );
      }
    },

    set: (tenant: string, id: string, to: Partial<Change>): Promise<void> =>
      setAll(sql, tenant, [id], to),
    setAll: (tenant: string, ids: readonly string[], to: Partial<Change>): Promise<void> =>
      setAll(sql, tenant, ids, to),

    /** What the container was made of goes; that there was a change stays. */
    async emptyBodies(tenant: string): Promise<void> {
      await sql.run(
        `UPDATE tag_manager_changes SET before = NULL, after = NULL, current = NULL
         WHERE tenant = $1`,
        tenant,
      );
      await sql.run('UPDATE tag_manager_batches SET verdict = NULL WHERE tenant = $1', tenant);
    },
  };
}
