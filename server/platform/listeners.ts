import type { Logger } from './log.ts';

export type Listener<T> = (news: T) => unknown;

/** Who within this process wants to hear of something, as the desktop shell does. */
export function createListeners<T>(about: string, log: Pick<Logger, 'error'>) {
  // Each in a box of its own, so that one who asks twice is told twice and leaves once.
  const listeners = new Set<{ hear: Listener<T> }>();

  /** What goes wrong there, at once or later, is not the matter of whoever tells it. */
  async function tellOne(hear: Listener<T>, news: T): Promise<void> {
    try {
      await hear(news);
    } catch (error) {
      log.error({ err: error }, `A listener for ${about} failed`);
    }
  }

  return {
    /** Returns what takes the listener away again. */
    add(hear: Listener<T>): () => void {
      const listener = { hear };
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    tell(news: T): void {
      for (const { hear } of [...listeners]) void tellOne(hear, news);
    },
  };
}
