/** Not of this language; told with its line. */
export class LanguageError extends Error {
  override readonly name = 'LanguageError';
  readonly line: number;
  readonly reason: string;

  constructor(reason: string, line: number) {
    super(`line ${line}: ${reason}`);
    this.reason = reason;
    this.line = line;
  }
}

/**
 * What goes wrong while it runs, told with its line. Host errors that pass through (failed
 * assertions, refused permissions) are not these and stay as they are.
 */
export class RuntimeError extends Error {
  override readonly name = 'RuntimeError';
  readonly line: number;

  constructor(message: string, line: number) {
    super(`line ${line}: ${message}`);
    this.line = line;
  }
}

/**
 * JavaScript's own limits are the program's fault and told as such. A stack that overflows may be
 * met once more in here; the next statement outwards tells it then.
 */
export function told(error: unknown, line: number): unknown {
  if (!(error instanceof Error)) return error;
  // A RangeError, but for regular expressions, which say it in a SyntaxError.
  if (error.message.endsWith('Maximum call stack size exceeded')) {
    return new RuntimeError('it does not end: too many calls within calls', line);
  }
  return error instanceof RangeError && error.message === 'Invalid string length'
    ? new RuntimeError(error.message, line)
    : error;
}
