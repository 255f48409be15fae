import type { Expression, Function as FunctionNode, Statement } from 'acorn';
import type { Frame, Scope } from './scope.ts';

/** A piece of the program, ready to run: it gives its value. */
export type Evaluate = (frame: Frame) => unknown;

/** A statement, ready to run: it tells how it ends when not by reaching its end. */
export type Execute = (frame: Frame) => Leave | undefined;

export interface Leave {
  readonly kind: 'break' | 'continue' | 'return';
  readonly label: string | null;
  readonly value: unknown;
}

/** How the parts of the compiler, one a file, reach each other. */
export interface Compiler {
  readonly source: string;
  expression(node: Expression, scope: Scope): Evaluate;
  statement(node: Statement, scope: Scope, labels?: readonly string[]): Execute;
  /** In a scope of its own, if anything is declared in it. */
  block(body: readonly Statement[], scope: Scope): Execute;
  /** One after the other, in this very scope. */
  sequence(body: readonly Statement[], scope: Scope): Execute;
  function(node: FunctionNode, scope: Scope): Evaluate;
}
