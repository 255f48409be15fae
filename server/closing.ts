import type { Logger } from './platform/log.ts';
import { isDoneWithin } from './platform/patience.ts';

/**
 * In this order, each with the longest that it may take. Together they fit into the time that ending
 * has (platform/ending.ts), so that whatever hangs, the last flush and its checkpoint get theirs.
 */
const STAGES = {
  /** What comes in, goes out or runs by itself. */
  work: 1_800,
  /** The last flush, for which nothing may come in any more. */
  events: 1_700,
  database: 400,
} as const;

type Close = () => Promise<unknown>;

/** Closes what was added, stage by stage; what is of one stage closes side by side. */
export function createClosing(log: Pick<Logger, 'warn' | 'error'>) {
  const added: { stage: keyof typeof STAGES; name: string; close: Close }[] = [];

  return {
    add(stage: keyof typeof STAGES, name: string, close: Close): void {
      added.push({ stage, name, close });
    },

    async close(): Promise<void> {
      const parts = added.splice(0);
      for (const [stage, withinMs] of Object.entries(STAGES)) {
        const waiting = new Set<string>();
        const closing = parts
          .filter((part) => part.stage === stage)
          .map(async ({ name, close }) => {
            waiting.add(name);
            await close().catch((error: unknown) =>
              log.error({ err: error, name }, 'Closing failed'),
            );
            waiting.delete(name);
          });
        if (await isDoneWithin(Promise.all(closing), withinMs)) continue;
        log.warn({ parts: [...waiting] }, 'Closing took too long and goes on without these');
      }
    },
  };
}
