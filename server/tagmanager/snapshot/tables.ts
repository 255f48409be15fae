import type { Migration } from '../../platform/migrations.ts';

/**
 * What was found in a container, the newest with the highest number. Of that one the objects are
 * kept too, as JSON in parts of a size that can be read in one turn.
 */
export const snapshotTables: readonly Migration[] = [
  {
    name: 'tag-manager-snapshots-1',
    sql: `
      CREATE TABLE snapshots (
        tenant VARCHAR NOT NULL,
        number UINTEGER NOT NULL,
        id UUID NOT NULL,
        taken_at TIMESTAMP NOT NULL,
        summary VARCHAR NOT NULL,
        differences VARCHAR NOT NULL
      );
      CREATE TABLE snapshot_parts (
        tenant VARCHAR NOT NULL,
        place UINTEGER NOT NULL,
        name VARCHAR NOT NULL,
        content VARCHAR NOT NULL
      );`,
  },
];
