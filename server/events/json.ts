import { MAX_DEPTH } from '../platform/bounds.ts';

/**
 * The grammar of JSON (RFC 8259) over bytes. Each function takes the place where a thing begins
 * and returns the place behind it, or throws what is wrong. A NUL byte must stand behind the
 * text: it ends every loop, which spares each of them the look at the length and, with it, the
 * engine's slow road for reads past the end.
 */

export type Flaw = 'syntax' | 'shape' | 'duplicate' | 'surrogate' | 'depth';

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const MINUS = 0x2d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const LETTER_U = 0x75;
export const LETTER_N = 0x6e;

/** A failed scan; thrown so that the fast road needs no checks of results. */
export class Flawed extends Error {
  readonly flaw: Flaw;
  constructor(flaw: Flaw) {
    super(flaw);
    this.flaw = flaw;
  }
}

/** What the last scan saw by the way: a number that might not survive a trip through a double. */
export const found = { exact: false };

const containers = new Uint8Array(MAX_DEPTH + 1);

/** Any JSON value. Iterative: nesting costs no stack. */
export function untyped(bytes: Buffer, at: number): number {
  let depth = 0;
  for (;;) {
    const first = bytes[at];
    if (first === QUOTE) at = string(bytes, at + 1);
    else if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      if (depth === MAX_DEPTH) throw new Flawed('depth');
      at = blanks(bytes, at + 1);
      if (bytes[at] === (first === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET)) at++;
      else {
        containers[++depth] = first;
        if (first === OPEN_BRACE) at = key(bytes, at);
        continue;
      }
    } else if (first === MINUS || (first !== undefined && first >= 0x30 && first <= 0x39)) {
      at = number(bytes, at);
    } else at = word(bytes, at);

    for (;;) {
      if (depth === 0) return at;
      at = blanks(bytes, at);
      const next = bytes[at];
      const inObject = containers[depth] === OPEN_BRACE;
      if (next === COMMA) {
        at = blanks(bytes, at + 1);
        if (inObject) at = key(bytes, at);
        break;
      }
      if (next !== (inObject ? CLOSE_BRACE : CLOSE_BRACKET)) throw new Flawed('syntax');
      depth--;
      at++;
    }
  }
}

function key(bytes: Buffer, at: number): number {
  if (bytes[at] !== QUOTE) throw new Flawed('syntax');
  return blanks(bytes, colon(bytes, string(bytes, at + 1)));
}

export function colon(bytes: Buffer, at: number): number {
  at = blanks(bytes, at);
  if (bytes[at] !== COLON) throw new Flawed('syntax');
  return at + 1;
}

export function blanks(bytes: Buffer, at: number): number {
  let byte = bytes[at];
  while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++at];
  return at;
}

/** From behind the opening quote to behind the closing one. */
export function string(bytes: Buffer, at: number): number {
  for (;;) {
    at = plain(bytes, at);
    const byte = bytes[at++];
    if (byte === QUOTE) return at;
    if (byte !== BACKSLASH) throw new Flawed('syntax');
    at = escape(bytes, at);
  }
}

function escape(bytes: Buffer, at: number): number {
  const kind = bytes[at];
  if (kind !== LETTER_U) {
    // " \ / b f n r t
    if (
      kind === 0x22 ||
      kind === 0x5c ||
      kind === 0x2f ||
      kind === 0x62 ||
      kind === 0x66 ||
      kind === 0x6e ||
      kind === 0x72 ||
      kind === 0x74
    ) {
      return at + 1;
    }
    throw new Flawed('syntax');
  }
  const unit = hex(bytes, at + 1);
  if (unit < 0xd800 || unit > 0xdfff) return at + 5;
  const paired = unit < 0xdc00 && bytes[at + 5] === BACKSLASH && bytes[at + 6] === LETTER_U;
  if (!paired) throw new Flawed('surrogate');
  const low = hex(bytes, at + 7);
  if (low < 0xdc00 || low > 0xdfff) throw new Flawed('surrogate');
  return at + 11;
}

function hex(bytes: Buffer, at: number): number {
  let unit = 0;
  for (let i = at; i < at + 4; i++) {
    const byte = bytes[i] ?? 0;
    if (byte >= 0x30 && byte <= 0x39) unit = unit * 16 + byte - 0x30;
    else if (byte >= 0x41 && byte <= 0x46) unit = unit * 16 + byte - 0x37;
    else if (byte >= 0x61 && byte <= 0x66) unit = unit * 16 + byte - 0x57;
    else throw new Flawed('syntax');
  }
  return unit;
}

function number(bytes: Buffer, at: number): number {
  const negative = bytes[at] === MINUS;
  if (negative) at++;
  const start = at;
  at = digits(bytes, at);
  if (at === start) throw new Flawed('syntax');
  const leadingZero = bytes[start] === 0x30;
  if (leadingZero && at > start + 1) throw new Flawed('syntax');
  const whole = at;
  if (bytes[at] === 0x2e) {
    at = digits(bytes, at + 1);
    if (at === whole + 1) throw new Flawed('syntax');
    // Fifteen digits is what every double keeps.
    if (at - start > 16) found.exact = true;
  }
  if (negative && leadingZero) found.exact = true;
  const next = bytes[at];
  if (next === 0x65 || next === 0x45) {
    found.exact = true;
    at++;
    const sign = bytes[at];
    if (sign === 0x2b || sign === MINUS) at++;
    const exponent = at;
    at = digits(bytes, at);
    if (at === exponent) throw new Flawed('syntax');
  }
  return at;
}

function word(bytes: Buffer, at: number): number {
  const word = bytes[at] === 0x74 ? TRUE : bytes[at] === 0x66 ? FALSE : NULL;
  for (let i = 0; i < word.length; i++) {
    if (bytes[at + i] !== word[i]) throw new Flawed('syntax');
  }
  return at + word.length;
}

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const NULL = Buffer.from('null');

/** 1 for each byte that may stand in a string as it is, and is neither quote nor backslash. */
const PLAIN = new Uint8Array(256).fill(1, 0x20);
PLAIN[QUOTE] = PLAIN[BACKSLASH] = 0;

function plain(bytes: Buffer, at: number): number {
  for (;;) {
    const byte = bytes[at] as number;
    if (byte === QUOTE || byte === BACKSLASH || byte < 0x20) return at;
    at++;
  }
}

function digits(bytes: Buffer, at: number): number {
  let byte = bytes[at];
  while (byte !== undefined && byte >= 0x30 && byte <= 0x39) byte = bytes[++at];
  return at;
}
