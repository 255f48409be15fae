import { readFileSync } from 'node:fs';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import type { Clock } from './clock.ts';

const KEPT_MS = 7 * 24 * 3_600_000;
const KEPT = 50;

const stored = z.array(z.object({ at: z.number(), text: z.string() }));

/** What the owner should know of. */
export interface Notices {
  push(text: string): unknown;
}

interface Parts {
  dir: string;
  clock: Clock;
  log: { warn(fields: object, message: string): void };
}

/** On disk for a week, so that a restart that nobody saw hides nothing. */
export function openNotices({ dir, clock, log }: Parts) {
  const file = path.join(dir, 'notices.json');
  let all = read(file);
  const current = () => all.filter(({ at }) => Math.abs(clock.now() - at) < KEPT_MS);

  return {
    push(text: string): void {
      log.warn({}, text);
      all = [...current(), { at: clock.now(), text }].slice(-KEPT);
      try {
        writeFileAtomic.sync(file, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
      } catch (error) {
        log.warn({ err: error }, 'A notice could not be written down');
      }
    },
    get notices(): string[] {
      return current().map(({ text }) => text);
    },
  };
}

/** One that cannot be read is no reason not to start. */
function read(file: string): z.infer<typeof stored> {
  try {
    return stored.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return [];
  }
}
