import { randomUUID } from 'node:crypto';
import type { Paging } from '../../http/schema.ts';
import type { Sql } from '../../platform/sql.ts';
import type { AuditEntry, Deed } from './schema.ts';

export interface NewEntry {
  who: string;
  deed: Deed;
  changeId?: string;
  words: string;
}

/** Who did what. There is no verb that takes anything away. */
export function auditOver(sql: Sql) {
  return {
    async note(tenant: string, entries: readonly NewEntry[], now: number): Promise<void> {
      for (const { who, deed, changeId, words } of entries) {
        await sql.run(
          `INSERT INTO tag_manager_audit BY NAME
           SELECT $1 AS tenant, $2 AS id,
                  (SELECT coalesce(max(seq), 0) + 1 FROM tag_manager_audit) AS seq,
                  $3 AS at, $4 AS who, $5 AS deed, $6 AS change, $7 AS words`,
          tenant,
          randomUUID(),
          new Date(now).toISOString(),
          who,
          deed,
          changeId ?? null,
          words,
        );
      }
    },

    /** The newest first. */
    entries: (tenant: string, { skip, limit }: Paging): Promise<AuditEntry[]> =>
      sql.rows<AuditEntry>(
        `SELECT id, at, who, deed, change AS change_id, words FROM tag_manager_audit
         WHERE tenant = $1 ORDER BY seq DESC LIMIT ${limit} OFFSET ${skip}`,
        tenant,
      ),
  };
}
