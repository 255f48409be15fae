import type { Migration } from '../platform/migrations.ts';

/** No keys or indexes, for the reasons given at the events. Tags and fields are JSON text. */
export const alertTables: readonly Migration[] = [
  {
    name: 'alerts-1',
    sql: `
      CREATE TABLE alerts (
        tenant VARCHAR NOT NULL,
        id UUID NOT NULL,
        rule_id UUID NOT NULL,
        severity VARCHAR NOT NULL,
        message VARCHAR NOT NULL,
        is_resolved BOOLEAN NOT NULL,
        is_acknowledged BOOLEAN NOT NULL,
        created_at TIMESTAMP NOT NULL,
        rule_name VARCHAR NOT NULL,
        rule_type VARCHAR NOT NULL,
        event_type VARCHAR NOT NULL,
        source VARCHAR,
        tags VARCHAR NOT NULL,
        category VARCHAR,
        value DOUBLE,
        acknowledged_at TIMESTAMP,
        acknowledge_note VARCHAR,
        resolved_at TIMESTAMP,
        resolve_note VARCHAR,
        pushed BOOLEAN NOT NULL
      );`,
  },
  {
    name: 'alerts-2',
    // A column that is added can be filled, but not be required.
    sql: `
      ALTER TABLE alerts ADD COLUMN missing_fields VARCHAR DEFAULT '[]';
      ALTER TABLE alerts ADD COLUMN window_minutes DOUBLE;`,
  },
];
