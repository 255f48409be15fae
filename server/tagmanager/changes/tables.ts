import type { Migration } from '../../platform/migrations.ts';

/**
 * What was proposed for a container and what became of it, the batches in which accepted changes
 * are written, how far each of those has come, and who did what. `seq` is the order of coming.
 *
 * A step is the memory of one write: that it is about to be made is stored before it, what came
 * of it after. Whatever happens between the two, the next start knows what to look for.
 */
export const changeTables: readonly Migration[] = [
  {
    name: 'tag-manager-changes-1',
    sql: `
      CREATE TABLE tag_manager_changes (
        tenant VARCHAR NOT NULL,
        id VARCHAR NOT NULL,
        seq BIGINT NOT NULL,
        container VARCHAR NOT NULL,
        made_for VARCHAR,
        batch VARCHAR,
        action VARCHAR NOT NULL,
        kind VARCHAR NOT NULL,
        object_id VARCHAR,
        name VARCHAR NOT NULL,
        before VARCHAR,
        after VARCHAR,
        current VARCHAR,
        status VARCHAR NOT NULL,
        needs VARCHAR NOT NULL,
        problem VARCHAR,
        proposed_at VARCHAR NOT NULL,
        proposed_by VARCHAR NOT NULL,
        decided_at VARCHAR,
        decided_by VARCHAR,
        applied_at VARCHAR
      );
      CREATE TABLE tag_manager_batches (
        tenant VARCHAR NOT NULL,
        id VARCHAR NOT NULL,
        container VARCHAR NOT NULL,
        phase VARCHAR NOT NULL,
        verdict VARCHAR,
        who VARCHAR NOT NULL,
        differs BOOLEAN NOT NULL,
        begun_at VARCHAR NOT NULL,
        finished_at VARCHAR
      );
      CREATE TABLE tag_manager_steps (
        tenant VARCHAR NOT NULL,
        batch VARCHAR NOT NULL,
        change VARCHAR NOT NULL,
        place INTEGER NOT NULL,
        state VARCHAR NOT NULL,
        object_id VARCHAR,
        fingerprint VARCHAR,
        former_id VARCHAR,
        note VARCHAR
      );
      CREATE TABLE tag_manager_audit (
        tenant VARCHAR NOT NULL,
        id VARCHAR NOT NULL,
        seq BIGINT NOT NULL,
        done_at VARCHAR NOT NULL,
        who VARCHAR NOT NULL,
        deed VARCHAR NOT NULL,
        change VARCHAR,
        words VARCHAR NOT NULL
      );`,
  },
  {
    // Another workspace of the same container is another place to write to.
    name: 'tag-manager-changes-2',
    sql: `
      ALTER TABLE tag_manager_changes ADD COLUMN workspace VARCHAR;
      ALTER TABLE tag_manager_changes ADD COLUMN workspace_name VARCHAR;
      ALTER TABLE tag_manager_batches ADD COLUMN workspace VARCHAR;
      ALTER TABLE tag_manager_batches ADD COLUMN workspace_name VARCHAR;`,
  },
  {
    // The snapshot that a batch has made out of date, where times said it, which may go backwards.
    name: 'tag-manager-changes-3',
    sql: 'ALTER TABLE tag_manager_batches ADD COLUMN snapshot VARCHAR;',
  },
  {
    // That a proposal would change what somebody else made, which its body does not tell.
    name: 'tag-manager-changes-4',
    sql: 'ALTER TABLE tag_manager_changes ADD COLUMN takes_over VARCHAR;',
  },
];
