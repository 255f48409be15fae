import { StartError } from './start-errors.ts';

const CLOSE_WITHIN_MS = 4_500;

interface Ending {
  on: readonly NodeJS.Signals[];
  close: (signal?: NodeJS.Signals) => Promise<unknown>;
  /** Closing in order took too long. */
  late?: () => void;
  /** What ends the process, where it is not Node alone that is to end. */
  exit?: (code: number) => void;
}

/** Closes in order and ends the process: on these signals, and when it is called. */
export function endInOrder({
  on,
  close,
  late,
  exit = (code) => process.exit(code),
}: Ending): (code: number) => void {
  let closing = false;
  function end(code: number, signal?: NodeJS.Signals): void {
    // A second signal means: now.
    if (closing) {
      exit(1);
      return;
    }
    closing = true;
    const timer = setTimeout(() => {
      late?.();
      exit(1);
    }, CLOSE_WITHIN_MS);
    void close(signal).then(() => {
      clearTimeout(timer);
      exit(code);
    });
  }
  for (const signal of on) process.on(signal, () => end(0, signal));
  return (code) => end(code);
}

/** EX_TEMPFAIL: trying again may help, and a service manager does. A known reason is 2. */
const LATER = 75;

/** Ends with the reason in words where it is known, and else with all that is known of it. */
export function endFailed(error: unknown): never {
  const known = error instanceof StartError;
  const text = known ? error.message : String((error as Error).stack ?? error);
  process.stderr.write(`vedette: ${text}\n`);
  if (!known) process.exit(1);
  // A disk may be mounted late while the machine starts.
  process.exit(error.code === 'disk' ? LATER : 2);
}
