/** How to tell a reader which line is meant. */
export type Where = (line: number) => string;

/** Something told with the line of the source where it is. */
abstract class CodeError extends Error {
  readonly line: number;
  readonly reason: string;
  /** The line in the words of whoever had the program compiled. */
  place: string | undefined;

  constructor(reason: string, line: number) {
    super(`line ${line}: ${reason}`);
    this.reason = reason;
    this.line = line;
  }
}

/** Not of this language. */
export class LanguageError extends CodeError {
  override readonly name = 'LanguageError';
}

/**
 * What goes wrong while it runs. Host errors that pass through (failed assertions, refused
 * permissions) are not these and stay as they are.
 */
export class RuntimeError extends CodeError {
  override readonly name = 'RuntimeError';
}

/**
 * JavaScript's own limits are the program's fault and told as such. A stack that overflows may be
 * met once more in here; the next statement outwards tells it then.
 */
export function placed(error: unknown, line: number, where: Where): unknown {
  const known = asOurs(error, line);
  // The innermost program that it passes through is the one that it happened in.
  if (known instanceof CodeError) known.place ??= where(known.line);
  return known;
}

function asOurs(error: unknown, line: number): unknown {
  if (!(error instanceof Error)) return error;
  // A RangeError, but for regular expressions, which say it in a SyntaxError.
  if (error.message.endsWith('Maximum call stack size exceeded')) {
    return new RuntimeError('it does not end: too many calls within calls', line);
  }
  return error instanceof RangeError && error.message === 'Invalid string length'
    ? new RuntimeError(error.message, line)
    : error;
}
