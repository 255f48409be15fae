import { storable } from '../../platform/sql.ts';
import type { Sql } from '../../platform/sql.ts';
import type { Definition } from '../api/schema.ts';
import type { FaultCode } from '../connection/schema.ts';
import type { SnapshotView } from '../snapshot/schema.ts';
import type { Whereabouts } from './store.ts';

/**
 * `looking`: nothing was written yet; `writing`; `undoing`: what was written is being taken back;
 * `done`; `abandoned`: it cannot be gone on with.
 */
export type Phase = 'looking' | 'writing' | 'undoing' | 'done' | 'abandoned';

/** Why a batch is taken back. */
export interface Verdict {
  change: string;
  /** `conflict` when somebody else was there first. */
  code: FaultCode;
  words: string;
  /** The way on; empty in a conflict, which is decided on. */
  next: string;
  /** In a conflict: the object as it is there, or null when it is gone. */
  current: Definition | null;
}

export interface Batch extends Whereabouts {
  id: string;
  phase: Phase;
  verdict: Verdict | null;
  who: string;
  /** Whether the container is known to be other than the snapshot before it says. */
  differs: boolean;
  /** That snapshot; null where there was none, or where it was not kept yet. */
  snapshot: string | null;
  begunAt: string;
  finishedAt: string | null;
}

/**
 * `writing` and `undoing`: it is about to be done, or was just done; `left`: it could not be taken
 * back, and `note` says why.
 */
export type StepState = 'waiting' | 'writing' | 'written' | 'undoing' | 'undone' | 'left';

export interface Step {
  change: string;
  place: number;
  state: StepState;
  objectId: string | null;
  fingerprint: string | null;
  /** Of what was deleted and came back: the id that it had. */
  formerId: string | null;
  note: string | null;
}

interface BatchRow extends Omit<Batch, 'verdict'> {
  verdict: string | null;
}

const BATCH = `id, container, workspace AS "workspaceId", workspace_name AS "workspaceName", phase,
  verdict, who, differs,
  snapshot, begun_at AS "begunAt", finished_at AS "finishedAt"`;
const STEP = `change, place, state, object_id AS "objectId", fingerprint,
  former_id AS "formerId", note`;

function batchOf(row: BatchRow): Batch {
  return { ...row, verdict: row.verdict === null ? null : (JSON.parse(row.verdict) as Verdict) };
}

export function batchesOver(sql: Sql) {
  return {
    addBatch: (tenant: string, batch: Pick<Batch, 'id' | 'who' | 'begunAt' | keyof Whereabouts>) =>
      sql.run(
        `INSERT INTO tag_manager_batches BY NAME
         SELECT $1 AS tenant, $2 AS id, $3 AS container, 'looking' AS phase, $4 AS who,
                false AS differs, $5 AS begun_at, $6 AS workspace, $7 AS workspace_name`,
        tenant,
        batch.id,
        batch.container,
        batch.who,
        batch.begunAt,
        batch.workspaceId,
        batch.workspaceName,
      ),

    async unfinished(tenant: string): Promise<Batch[]> {
      const rows = await sql.rows<BatchRow>(
        `SELECT ${BATCH} FROM tag_manager_batches
         WHERE tenant = $1 AND phase NOT IN ('done', 'abandoned') ORDER BY begun_at, id`,
        tenant,
      );
      return rows.map(batchOf);
    },

    /** Whose batches were cut short. */
    async tenantsWithUnfinished(): Promise<string[]> {
      const rows = await sql.rows<{ tenant: string }>(
        `SELECT DISTINCT tenant FROM tag_manager_batches
         WHERE phase NOT IN ('done', 'abandoned') ORDER BY tenant`,
      );
      return rows.map(({ tenant }) => tenant);
    },

    /**
     * Whether a batch left the container other than that snapshot says. Of one that does not know
     * which came before it, the times tell.
     */
    async isOutdated(
      tenant: string,
      snapshot: Pick<SnapshotView, 'id' | 'taken_at'> | undefined,
    ): Promise<boolean> {
      const rows = await sql.rows<object>(
        `SELECT 1 FROM tag_manager_batches
         WHERE tenant = $1 AND differs AND finished_at IS NOT NULL
           AND (snapshot = $2
             OR snapshot IS NULL AND finished_at > coalesce($3::VARCHAR, '')) LIMIT 1`,
        tenant,
        snapshot?.id ?? null,
        snapshot?.taken_at ?? null,
      );
      return rows.length > 0;
    },

    setBatch: (
      tenant: string,
      id: string,
      { phase, verdict, finishedAt }: Pick<Batch, 'phase'> & Partial<Batch>,
    ) =>
      sql.run(
        `UPDATE tag_manager_batches SET phase = $3, verdict = coalesce($4, verdict),
           finished_at = $5
         WHERE tenant = $1 AND id = $2`,
        tenant,
        id,
        phase,
        verdict ? JSON.stringify(verdict) : null,
        finishedAt ?? null,
      ),

    /** That something may have been written, or was written by somebody else. */
    setDiffers: (tenant: string, { id, snapshot }: Pick<Batch, 'id' | 'snapshot'>) =>
      sql.run(
        `UPDATE tag_manager_batches SET differs = true, snapshot = $3
         WHERE tenant = $1 AND id = $2 AND (NOT differs OR snapshot IS DISTINCT FROM $3::VARCHAR)`,
        tenant,
        id,
        snapshot,
      ),

    addSteps: (tenant: string, batch: string, changes: readonly string[]) =>
      sql.run(
        `INSERT INTO tag_manager_steps BY NAME
         SELECT $1 AS tenant, $2 AS batch, given.change, given.place, 'waiting' AS state
         FROM (SELECT unnest(from_json($3::JSON, '[{"change":"VARCHAR","place":"INTEGER"}]')) AS given)`,
        tenant,
        batch,
        JSON.stringify(changes.map((change, place) => ({ change, place }))),
      ),

    steps: (tenant: string, batch: string): Promise<Step[]> =>
      sql.rows<Step>(
        `SELECT ${STEP} FROM tag_manager_steps WHERE tenant = $1 AND batch = $2 ORDER BY place`,
        tenant,
        batch,
      ),

    setStep: (tenant: string, batch: string, step: Step) =>
      sql.run(
        `UPDATE tag_manager_steps SET state = $4, object_id = $5, fingerprint = $6, former_id = $7,
           note = $8
         WHERE tenant = $1 AND batch = $2 AND change = $3`,
        tenant,
        batch,
        step.change,
        step.state,
        step.objectId,
        step.fingerprint,
        step.formerId,
        step.note && storable(step.note),
      ),

    /** Once a batch has ended there is nothing left to remember of its way. */
    removeSteps: (tenant: string, batch: string) =>
      sql.run('DELETE FROM tag_manager_steps WHERE tenant = $1 AND batch = $2', tenant, batch),
  };
}
