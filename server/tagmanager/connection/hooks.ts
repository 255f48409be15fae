import type { Logger } from '../../platform/log.ts';

export type Hook<Args extends unknown[]> = (...args: Args) => unknown;

/** What others do when something happened here, and how that went. */
export function createHooks<Args extends unknown[]>(about: string, log: Pick<Logger, 'error'>) {
  const all: Hook<Args>[] = [];
  return {
    add: (hook: Hook<Args>): void => {
      all.push(hook);
    },
    /** One after the other, in the order of asking; returns what went wrong first. */
    async run(...args: Args): Promise<Error | undefined> {
      let first: Error | undefined;
      for (const hook of all) {
        try {
          await hook(...args);
        } catch (error) {
          first ??= error instanceof Error ? error : new Error(String(error));
          log.error({ err: error }, `What follows when ${about} went wrong`);
        }
      }
      return first;
    },
  };
}
