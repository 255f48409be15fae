/**
 * Checks JSON bytes against RFC 8259 and a shape in one pass, building nothing.
 *
 * Bodies are journaled as they came, so they need not be parsed, only judged. A scan takes
 * less than half the time of `JSON.parse`, and sees what parsing hides: keys given twice, halves of
 * surrogate pairs, numbers that a double cannot hold, and where each value stands in the text.
 *
 * It only says yes or no. What is wrong, in words, is found out by the slow road (explain.ts).
 */

import {
  BACKSLASH,
  blanks,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  colon,
  COMMA,
  Flawed,
  found,
  LETTER_N,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  string,
  untyped,
} from './json.ts';
import type { Flaw } from './json.ts';

export type Shape =
  | { kind: 'string' | 'object' | 'integer'; optional?: true; keep?: number }
  | { kind: 'record'; fields: Record<string, Shape>; keep?: number; optional?: never }
  | { kind: 'list'; of: Shape; keep?: never; optional?: never };

/** JSON text with a NUL byte behind it, so that no loop needs to look where the end is. */
export interface Sealed {
  bytes: Buffer;
  length: number;
}

export interface Scan {
  /** Elements of the list that the shape holds; lists within untyped values do not count. */
  elements: number;
  /** Some number would not survive a trip through doubles. */
  exact: boolean;
  /** Of each value whose shape says `keep`: that number, start and end. Parts before wholes. */
  kept: number[];
}

export interface Failure {
  flaw: Flaw;
  /** The element of the list in which the scan stopped; -1 before the list. */
  element: number;
  /** The field of it, where the shape names one. */
  field: string;
}

interface Field {
  name: Buffer;
  text: string;
  shape: Prepared;
  bit: number;
}

interface Prepared {
  kind: 'string' | 'object' | 'integer' | 'record' | 'list';
  optional: boolean;
  keep: number;
  fields: Field[];
  required: number;
  of: Prepared | undefined;
}

export function createScanner(shape: Shape): (text: Sealed) => Scan | Failure {
  const root = prepare(shape);
  return (text) => {
    const run = new Run(text);
    try {
      found.exact = false;
      run.whole(root);
      run.exact = found.exact;
      return run;
    } catch (error) {
      if (error instanceof Flawed)
        return { flaw: error.flaw, element: run.elements - 1, field: run.field };
      throw error;
    }
  };
}

class Run implements Scan {
  elements = 0;
  field = '';
  exact = false;
  kept: number[] = [];
  private readonly bytes: Buffer;
  private readonly length: number;

  constructor({ bytes, length }: Sealed) {
    this.bytes = bytes;
    this.length = length;
  }

  whole(shape: Prepared): void {
    let at = blanks(this.bytes, 0);
    at = blanks(this.bytes, this.value(at, shape));
    if (at !== this.length) throw new Flawed('syntax');
  }

  private value(at: number, shape: Prepared): number {
    const first = this.bytes[at];
    if (shape.optional && first === LETTER_N) return untyped(this.bytes, at);
    let end: number;
    switch (shape.kind) {
      case 'string':
        if (first !== QUOTE) throw this.misshapen(at);
        end = string(this.bytes, at + 1);
        break;
      case 'object':
        if (first !== OPEN_BRACE) throw this.misshapen(at);
        end = untyped(this.bytes, at);
        break;
      case 'integer':
        end = untyped(this.bytes, at);
        if (!isInteger(this.bytes.toString('latin1', at, end))) throw new Flawed('shape');
        break;
      case 'record':
        if (first !== OPEN_BRACE) throw this.misshapen(at);
        end = this.record(at + 1, shape);
        break;
      case 'list':
        if (first !== OPEN_BRACKET) throw this.misshapen(at);
        end = this.list(at + 1, shape);
    }
    if (shape.keep !== 0) this.kept.push(shape.keep, at, end);
    return end;
  }

  private list(start: number, shape: Prepared): number {
    const bytes = this.bytes;
    const of = shape.of as Prepared;
    let at = blanks(this.bytes, start);
    if (bytes[at] === CLOSE_BRACKET) return at + 1;
    for (;;) {
      this.elements++;
      at = blanks(this.bytes, this.value(at, of));
      const next = bytes[at];
      if (next === CLOSE_BRACKET) return at + 1;
      if (next !== COMMA) throw new Flawed('syntax');
      at = blanks(this.bytes, at + 1);
    }
  }

  private record(start: number, shape: Prepared): number {
    const bytes = this.bytes;
    let seen = 0;
    let at = blanks(this.bytes, start);
    if (bytes[at] === CLOSE_BRACE) at++;
    else {
      for (;;) {
        if (bytes[at] !== QUOTE) throw new Flawed('syntax');
        const keyEnd = string(this.bytes, at + 1);
        const field = this.fieldOf(at + 1, keyEnd - 1, shape);
        this.field = field === undefined ? '' : field.text;
        at = blanks(this.bytes, colon(this.bytes, keyEnd));
        if (field === undefined) at = untyped(this.bytes, at);
        else {
          if ((seen & field.bit) !== 0) throw new Flawed('duplicate');
          seen |= field.bit;
          at = this.value(at, field.shape);
        }
        at = blanks(this.bytes, at);
        const next = bytes[at++];
        if (next === CLOSE_BRACE) break;
        if (next !== COMMA) throw new Flawed('syntax');
        at = blanks(this.bytes, at);
      }
    }
    if ((seen & shape.required) !== shape.required) throw new Flawed('shape');
    return at;
  }

  private fieldOf(start: number, end: number, shape: Prepared): Field | undefined {
    const bytes = this.bytes;
    for (const field of shape.fields) {
      const name = field.name;
      if (name.length !== end - start) continue;
      let same = 0;
      while (same < name.length && name[same] === bytes[start + same]) same++;
      if (same === name.length) return field;
    }
    // The same key may be spelled with escapes.
    for (let i = start; i < end; i++) {
      if (bytes[i] !== BACKSLASH) continue;
      const text = JSON.parse(bytes.toString('utf8', start - 1, end + 1)) as string;
      return shape.fields.find((field) => field.text === text);
    }
    return undefined;
  }

  /** Not what the shape asks for, but is it JSON at all? Broken JSON is the worse fault. */
  private misshapen(at: number): Flawed {
    untyped(this.bytes, at);
    return new Flawed('shape');
  }
}

function isInteger(text: string): boolean {
  return /^[-0-9]/.test(text) && Number.isSafeInteger(Number(text));
}

function prepare(shape: Shape): Prepared {
  const fields = Object.entries(shape.kind === 'record' ? shape.fields : {}).map(
    ([text, of], index) => ({ name: Buffer.from(text), text, shape: prepare(of), bit: 1 << index }),
  );
  return {
    kind: shape.kind,
    optional: shape.optional ?? false,
    keep: shape.keep ?? 0,
    fields,
    required: fields.reduce((mask, { shape, bit }) => (shape.optional ? mask : mask | bit), 0),
    of: shape.kind === 'list' ? prepare(shape.of) : undefined,
  };
}
