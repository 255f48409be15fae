import { randomUUID } from 'node:crypto';
import type { Paging } from '../../http/schema.ts';
import { storable } from '../../platform/sql.ts';
import type { Sql } from '../../platform/sql.ts';
import type { AuditEntry, Deed } from './schema.ts';

export interface NewEntry {
  who: string;
  deed: Deed;
  changeId?: string;
  words: string;
}

const GIVEN = `'[{"id":"VARCHAR","place":"BIGINT","who":"VARCHAR","deed":"VARCHAR","change":"VARCHAR","words":"VARCHAR"}]'`;

/** Who did what. There is no verb that takes anything away. */
export function auditOver(sql: Sql) {
  return {
    async note(tenant: string, entries: readonly NewEntry[], now: number): Promise<void> {
      if (entries.length === 0) return;
      const given = entries.map(({ who, deed, changeId = null, words }, i) => ({
        ...{ id: randomUUID(), place: i + 1, deed, change: changeId },
        ...{ who: storable(who), words: storable(words) },
      }));
      await sql.run(
        `INSERT INTO tag_manager_audit BY NAME
         SELECT $1 AS tenant, given.id, given.who, given.deed, given.change, given.words,
                $2 AS done_at,
                (SELECT coalesce(max(seq), 0) FROM tag_manager_audit) + given.place AS seq
         FROM (SELECT unnest(from_json($3::JSON, ${GIVEN})) AS given)`,
        tenant,
        new Date(now).toISOString(),
        JSON.stringify(given),
      );
    },

    /** The newest first. */
    entries: (tenant: string, { skip, limit }: Paging): Promise<AuditEntry[]> =>
      sql.rows<AuditEntry>(
        `SELECT id, done_at AS "at", who, deed, change AS change_id, words FROM tag_manager_audit
         WHERE tenant = $1 ORDER BY seq DESC LIMIT ${limit} OFFSET ${skip}`,
        tenant,
      ),
  };
}
