import type { Migration } from '../platform/migrations.ts';

/**
 * What is to be sent, is being sent, and was sent lately. `begun_at` and `begun_attempts` say
 * where the present round of attempts began: sending again by hand begins another.
 */
export const webhookTables: readonly Migration[] = [
  {
    name: 'webhooks-1',
    sql: `
      CREATE TABLE deliveries (
        tenant VARCHAR NOT NULL,
        id VARCHAR NOT NULL,
        alert UUID,
        type VARCHAR NOT NULL,
        payload VARCHAR NOT NULL,
        created_at TIMESTAMP NOT NULL,
        status VARCHAR NOT NULL,
        attempts UINTEGER NOT NULL,
        begun_at TIMESTAMP NOT NULL,
        begun_attempts UINTEGER NOT NULL,
        next_at TIMESTAMP,
        last_at TIMESTAMP,
        last_status USMALLINT,
        last_error VARCHAR,
        finished_at TIMESTAMP
      );`,
  },
];
