/** Something told with the line of the source where it is. */
abstract class Located extends Error {
  readonly line: number;
  readonly reason: string;

  constructor(reason: string, line: number) {
    super(`line ${line}: ${reason}`);
    this.reason = reason;
    this.line = line;
  }
}

/** Not of this language. */
export class LanguageError extends Located {
  override readonly name = 'LanguageError';
}

/**
 * What goes wrong while it runs. Host errors that pass through (failed assertions, refused
 * permissions) are not these and stay as they are.
 */
export class RuntimeError extends Located {
  override readonly name = 'RuntimeError';
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
