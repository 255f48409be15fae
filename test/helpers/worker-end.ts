// A worker is ended by a signal, on which Node would leave without a word.
process.once('SIGTERM', () => process.exit(143));

/** Does this when the worker that runs the tests ends, which waits for nothing. */
export function atWorkerEnd(work: () => void): void {
  process.once('exit', work);
}
