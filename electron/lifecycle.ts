import { createMutex } from '../server/platform/mutex.ts';
import { atMost } from './at-most.ts';

/** Where the program stands. There is one at a time, and one way from each to the next. */
export type Phase<Up> =
  | { name: 'starting' }
  /** `isAnew` when it began again by itself, and nobody asked for anything to be shown. */
  | { name: 'up'; up: Up; isAnew: boolean }
  | { name: 'failed'; error: unknown; wasUp: boolean }
  | { name: 'ending' };

interface Parts<Up> {
  /** Starts everything, or throws when it has closed again what was open. */
  open: () => Promise<Up>;
  close: (up: Up) => Promise<unknown>;
  /** Told of each new phase; what it does about it must not throw. */
  entered: (phase: Phase<Up>) => void;
  noted: (error: unknown) => void;
}

const RECOVERIES = 3;
const WITHIN_MS = 10 * 60_000;
const CLOSE_WITHIN_MS = 4_000;

export function createLifecycle<Up>({ open, close, entered, noted }: Parts<Up>) {
  const inTurn = createMutex();
  const mayRecover = atMost(RECOVERIES, WITHIN_MS);
  let phase: Phase<Up> = { name: 'starting' };
  let interrupt: (error: unknown) => void = () => undefined;

  // Called, since it may change while something is awaited, which the compiler does not see.
  const isEnding = () => phase.name === 'ending';

  function enter(next: Phase<Up>): void {
    if (isEnding()) return;
    phase = next;
    entered(next);
  }

  async function shut(up: Up): Promise<void> {
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => late.resolve(undefined), CLOSE_WITHIN_MS);
    await Promise.race([close(up), late.promise]).catch(noted);
    clearTimeout(timer);
  }

  async function bringUp(isAnew: boolean): Promise<void> {
    const interrupted = Promise.withResolvers<never>();
    interrupt = interrupted.reject;
    const opening = open();
    try {
      const up = await Promise.race([opening, interrupted.promise]);
      if (isEnding()) await shut(up);
      else enter({ name: 'up', up, isAnew });
    } catch (error) {
      // A start that was given up may still come to its end.
      opening.then(shut, () => undefined);
      enter({ name: 'failed', error, wasUp: false });
    } finally {
      interrupt = () => undefined;
    }
  }

  return {
    phase: () => phase,

    start: (): Promise<void> => inTurn(() => bringUp(false)),

    /** Another start, after one that failed. Asked for twice, it is one. */
    async again(): Promise<void> {
      if (phase.name !== 'failed') return;
      enter({ name: 'starting' });
      await inTurn(() => bringUp(false));
    },

    /**
     * What nobody foresaw leaves the program in doubt, so it begins anew: events must not wait for
     * somebody to click. When that does not help, it fails.
     */
    async fault(error: unknown): Promise<void> {
      if (phase.name === 'starting') interrupt(error);
      if (phase.name !== 'up') return;
      const { up } = phase;
      const isHopeful = mayRecover(performance.now());
      if (isHopeful) enter({ name: 'starting' });
      else enter({ name: 'failed', error, wasUp: true });
      await inTurn(async () => {
        await shut(up);
        if (isHopeful && !isEnding()) await bringUp(true);
      });
    },

    /** For good. Resolves when everything is closed. */
    async end(): Promise<void> {
      const last = phase;
      enter({ name: 'ending' });
      await inTurn(async () => {
        if (last.name === 'up') await shut(last.up);
      });
    },
  };
}
