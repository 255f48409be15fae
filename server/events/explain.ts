import type { z } from 'zod';
import { problems } from '../platform/errors.ts';
import type { FieldError, HttpError } from '../platform/errors.ts';
import { fieldErrors, pathText } from '../platform/validation.ts';
import { MAX_DEPTH } from './json.ts';
import type { Failure } from './scan.ts';

/**
 * The slow road: a scan found that a body cannot be taken; this says why, in words, with every
 * fault that a sender would want to mend at once.
 */
export function explain(bytes: Buffer, schema: z.ZodType, failure: Failure): HttpError {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    return problems.bodyNotJson((error as Error).message);
  }
  const judged = schema.safeParse(value);
  const errors = [
    ...(judged.success ? [] : fieldErrors(judged.error.issues)),
    ...faultyText(value),
  ];
  if (errors.length > 0) return problems.invalid(errors);
  if (failure.flaw === 'duplicate') {
    const list = Array.isArray(value) ? '' : 'events';
    const path = failure.element < 0 ? '' : `${list}[${failure.element}]`;
    return problems.invalid([{ path, message: 'gives one of its own keys twice' }]);
  }
  return problems.bodyNotJson('it is not plain JSON (RFC 8259)');
}

/** Half characters and depths; zod sees neither. Iterative, since the value may be deep. */
function faultyText(root: unknown): FieldError[] {
  const errors: FieldError[] = [];
  const todo: { value: unknown; path: readonly PropertyKey[]; depth: number }[] = [
    { value: root, path: [], depth: 0 },
  ];
  const halves = (text: string) => !text.isWellFormed();
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { value, path, depth } = next;
    if (typeof value === 'string' && halves(value)) {
      errors.push({ path: pathText(path), message: 'has half of a surrogate pair' });
    } else if (typeof value === 'object' && value !== null) {
      if (depth > MAX_DEPTH) {
        errors.push({
          path: pathText(path.slice(0, 3)),
          message: `is nested deeper than ${MAX_DEPTH}`,
        });
        continue;
      }
      for (const [key, inner] of Object.entries(value)) {
        if (halves(key)) {
          errors.push({ path: pathText(path), message: 'has a key with half of a surrogate pair' });
        }
        // A path of full length for each level would cost the square of the depth.
        const step = Array.isArray(value) ? Number(key) : key;
        todo.push({
          value: inner,
          path: path.length < 12 ? [...path, step] : path,
          depth: depth + 1,
        });
      }
    }
  }
  return errors.reverse().slice(0, MAX_ERRORS);
}

const MAX_ERRORS = 1000;
