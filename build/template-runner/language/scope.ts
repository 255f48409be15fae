import { placed, RuntimeError } from './errors.ts';
import type { Where } from './errors.ts';

export type Kind = 'var' | 'let' | 'const' | 'self';

export interface Name {
  readonly slot: number;
  readonly kind: Kind;
}

/** Where a name was found: so many frames outwards, at this slot. */
export interface Place extends Name {
  readonly hops: number;
}

const NOTHING: ReadonlyMap<string, unknown> = new Map();

/** The names of a function or block, known before anything runs. */
export class Scope {
  readonly outer: Scope | null;
  readonly isFunction: boolean;
  readonly #names = new Map<string, Name>();

  constructor(outer: Scope | null, isFunction: boolean) {
    this.outer = outer;
    this.isFunction = isFunction;
  }

  declare(name: string, kind: Kind): Name {
    const known = this.#names.get(name);
    if (known) return known;
    const made = { slot: this.#names.size, kind };
    this.#names.set(name, made);
    return made;
  }

  own(name: string): Name | undefined {
    return this.#names.get(name);
  }

  find(name: string): Place | null {
    const own = this.#names.get(name);
    if (own) return { ...own, hops: 0 };
    const found = this.outer?.find(name);
    return found ? { ...found, hops: found.hops + 1 } : null;
  }

  /**
   * The slots of a new frame: what let and const declare may not be read yet, and a var that was
   * handed in already keeps its value, as a parameter does.
   */
  fresh(given: ReadonlyMap<string, unknown> = NOTHING): unknown[] {
    return Array.from(this.#names, ([name, { kind }]) =>
      kind === 'let' || kind === 'const' ? UNSET : given.get(name),
    );
  }
}

/** In the slot of a let or const before its declaration has run. */
export const UNSET = Symbol('unset');

/** The values of a scope's names while it runs. */
export interface Frame {
  readonly slots: unknown[];
  readonly outer: Frame | null;
  readonly run: Run;
}

export function enter(scope: Scope, outer: Frame): Frame {
  return { slots: scope.fresh(), outer, run: outer.run };
}

export function frameAt(frame: Frame, hops: number): Frame {
  let found = frame;
  for (let i = 0; i < hops && found.outer; i++) found = found.outer;
  return found;
}

/** One run of a program: what was handed in, and how much it may still do. */
export class Run {
  readonly globals: Map<string, unknown>;
  readonly where: Where;
  readonly #steps: number;
  #left: number;

  constructor(globals: Record<string, unknown>, steps: number, where: Where) {
    this.globals = new Map(Object.entries(globals));
    this.where = where;
    this.#steps = steps;
    this.#left = steps;
  }

  spend(line: number, steps = 1): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    const reason = `it does not end: more than ${this.#steps} steps were taken`;
    throw placed(new RuntimeError(reason, line), line, this.where);
  }
}
