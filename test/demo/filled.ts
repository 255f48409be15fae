import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { fillDemo } from '../../build/demo/fill.ts';
import { openReceiver } from '../../build/demo/receiver.ts';
import { start } from '../../server/appliance.ts';
import type { AlertGroup } from '../../server/alerts/schema.ts';
import { silentLog as log } from '../../server/platform/log.ts';

export interface Sent {
  source: string;
  event_type: string;
  created_at: string;
  data: { ecommerce?: { transaction_id?: string; items?: object[] } };
  context?: { source_id: string; metadata: { container_version: string } };
}

/** A small demonstration as it looks at a moment, which stands. */
export async function filledDemo(now: number) {
  const dir = mkdtempSync(path.join(tmpdir(), 'vedette-test-'));
  const receiver = await openReceiver();
  const filled = await fillDemo(dir, { now, seed: 3, events: 22_000, webhookUrl: receiver.url });
  receiver.close();
  const clock = { now: () => now + 500 };
  const appliance = await start({ dataDir: dir, host: '127.0.0.1', port: 0, log, clock });

  async function get<T>(url: string): Promise<T> {
    const headers = { 'x-api-key': filled.keys.full };
    const answer = await appliance.app.inject({ url: `/api/v1${url}`, headers });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<T>();
  }

  return {
    ...{ now, dir, story: filled.story, get },
    groupOf: async (name: string) =>
      (await get<AlertGroup[]>('/alerts/grouped')).find(({ rule_name }) => rule_name === name),
    async close(): Promise<void> {
      await appliance.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export type FilledDemo = Awaited<ReturnType<typeof filledDemo>>;
