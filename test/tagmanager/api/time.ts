/** Time that passes only when it is told to: a clock, and waits that go by it. */
export function createTime() {
  let real = 0;
  let clock = 1_800_000_000_000;
  /** What takes real time; no other passes meanwhile. */
  const flights = new Set<Promise<unknown>>();
  const waits = new Set<{ until: number; end: () => void }>();

  function pass(ms: number): void {
    real += ms;
    clock += ms;
    for (const one of [...waits]) if (one.until <= real) one.end();
  }

  /** Everything that can go on now has gone on. */
  async function settled(): Promise<void> {
    await new Promise(setImmediate);
  }

  function nextWait(): number {
    return Math.min(...[...waits].map(({ until }) => until)) - real;
  }

  return {
    ...{ pass, settled, nextWait },
    now: () => clock,
    /** How long everything has lasted, whatever the clock says. */
    real: () => real,
    waiting: () => waits.size,
    setBack(ms: number) {
      clock -= ms;
    },
    /** The clock goes on, and timers do not. */
    sleep(ms: number) {
      clock += ms;
    },
    wait: (ms: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const one = { until: real + ms, end };
        function end(): void {
          waits.delete(one);
          resolve();
        }
        waits.add(one);
        if (signal.aborted) end();
        else signal.addEventListener('abort', end, { once: true });
      }),
    /** The same promise: no time passes until it has ended. */
    async during<T>(work: Promise<T>): Promise<T> {
      flights.add(work);
      try {
        return await work;
      } finally {
        flights.delete(work);
      }
    },
    /** Lets time pass until the work is done. */
    async run<T>(work: Promise<T>): Promise<T> {
      const ended = work.then(
        () => true,
        () => true,
      );
      for (let i = 0; i < 10_000; i++) {
        if (await Promise.race([ended, settled()])) return await work;
        if (flights.size > 0) await Promise.race(flights).catch(() => undefined);
        else if (waits.size > 0) pass(nextWait());
      }
      throw new Error('It never ends');
    },
  };
}

export type Time = ReturnType<typeof createTime>;
