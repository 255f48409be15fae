export interface Turn {
  /** Whose turn it is: those that wait are served by owner, one of each in turn. */
  owner?: string | undefined;
  /** Takes long; never holds the last of the items. */
  isHeavy?: boolean;
  /** Once it fires, who still waits gets its reason thrown and holds nothing. */
  signal?: AbortSignal | undefined;
}

/** A fixed number of things that one user at a time may hold. */
export function createPool<T>(items: readonly T[]) {
  const free = [...items];
  const light = createLine<T>();
  const heavy = createLine<T>();
  let heavyHeld = 0;
  let wasHeavy = false;
  let idle: (() => void)[] = [];

  const hasRoomForHeavy = () => heavyHeld < Math.max(1, items.length - 1);

  /** Light ones go first, but only once past a heavy one: else many of them would keep it out. */
  function next(): ((item: T) => void) | undefined {
    const first = hasRoomForHeavy() && !wasHeavy ? [heavy, light] : [light];
    const line = [...first, ...(hasRoomForHeavy() ? [heavy] : [])].find(({ size }) => size() > 0);
    if (line === undefined) return undefined;
    wasHeavy = line === heavy;
    if (wasHeavy) heavyHeld++;
    return line.next();
  }

  function serve(): void {
    while (free.length > 0) {
      const start = next();
      if (start === undefined) break;
      start(free.pop() as T);
    }
    if (free.length < items.length) return;
    for (const wake of idle) wake();
    idle = [];
  }

  return {
    async use<R>(work: (item: T) => Promise<R>, turn: Turn = {}): Promise<R> {
      const { isHeavy = false } = turn;
      const taken = (isHeavy ? heavy : light).join(turn);
      serve();
      const item = await taken;
      try {
        return await work(item);
      } finally {
        if (isHeavy) heavyHeld--;
        free.push(item);
        serve();
      }
    },

    /** Resolves when nobody holds anything. */
    drain: (): Promise<void> =>
      free.length === items.length ? Promise.resolve() : new Promise((done) => idle.push(done)),
  };
}

/** Those that wait: in the order of asking for each owner, and one of each owner in turn. */
function createLine<T>() {
  const waiting = new Map<string, ((item: T) => void)[]>();

  return {
    size: () => waiting.size,

    join: ({ owner = '', signal }: Turn): Promise<T> =>
      new Promise((resolve, reject) => {
        const start = (item: T) => {
          signal?.removeEventListener('abort', leave);
          resolve(item);
        };
        const leave = () => {
          const others = waiting.get(owner)?.filter((one) => one !== start) ?? [];
          if (others.length > 0) waiting.set(owner, others);
          else waiting.delete(owner);
          reject(signal?.reason as Error);
        };
        signal?.addEventListener('abort', leave, { once: true });
        waiting.set(owner, [...(waiting.get(owner) ?? []), start]);
        if (signal?.aborted) leave();
      }),

    next(): (item: T) => void {
      const [[owner, [start, ...others]]] = [...waiting] as [[string, ((item: T) => void)[]]];
      waiting.delete(owner);
      if (others.length > 0) waiting.set(owner, others);
      return start as (item: T) => void;
    },
  };
}
