/** A fixed number of things that one user at a time may hold. */
export function createPool<T>(items: readonly T[]) {
  const free = [...items];
  const queue: ((item: T) => void)[] = [];
  let idle: (() => void)[] = [];

  async function take(): Promise<T> {
    const item = free.pop();
    if (item !== undefined) return item;
    return new Promise((resolve) => queue.push(resolve));
  }

  function giveBack(item: T): void {
    const next = queue.shift();
    if (next) next(item);
    else free.push(item);
    if (free.length === items.length) {
      for (const wake of idle) wake();
      idle = [];
    }
  }

  return {
    async use<R>(work: (item: T) => Promise<R>): Promise<R> {
      const item = await take();
      try {
        return await work(item);
      } finally {
        giveBack(item);
      }
    },

    /** Resolves when nobody holds anything. */
    drain: (): Promise<void> =>
      free.length === items.length ? Promise.resolve() : new Promise((done) => idle.push(done)),
  };
}
