import type { Migration } from '../platform/migrations.ts';

export const evaluatorTables: readonly Migration[] = [
  {
    name: 'evaluator-1',
    // What was collected before uptime was kept counts as listened to, up to the last event.
    sql: `
      CREATE TABLE listening (
        started TIMESTAMP NOT NULL,
        ended TIMESTAMP NOT NULL
      );
      INSERT INTO listening
        SELECT min(first_seen), max(last_seen) FROM series HAVING count(*) > 0;
      CREATE TABLE rule_states (
        tenant VARCHAR NOT NULL,
        rule VARCHAR NOT NULL,
        state VARCHAR NOT NULL
      );
      CREATE TABLE evaluations (
        tenant VARCHAR NOT NULL,
        id UUID NOT NULL,
        trigger VARCHAR NOT NULL,
        evaluated_at TIMESTAMP NOT NULL,
        started_at TIMESTAMP NOT NULL,
        duration_ms DOUBLE NOT NULL,
        rules UINTEGER NOT NULL,
        fired UINTEGER NOT NULL,
        alerts UINTEGER NOT NULL,
        skipped VARCHAR NOT NULL
      );`,
  },
  {
    name: 'evaluator-2',
    sql: `
      CREATE TABLE verdicts (
        tenant VARCHAR NOT NULL,
        rule VARCHAR NOT NULL,
        evaluated_at TIMESTAMP NOT NULL,
        state VARCHAR NOT NULL,
        value DOUBLE,
        expected DOUBLE,
        alert BOOLEAN NOT NULL
      );`,
  },
];
