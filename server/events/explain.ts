import { MAX_DEPTH, MAX_ERRORS, MAX_EVENTS } from '../platform/bounds.ts';
import { z } from 'zod';
import { problems } from '../platform/errors.ts';
import type { FieldError, HttpError } from '../platform/errors.ts';
import { fieldErrors, pathText } from '../platform/validation.ts';
import type { Failure } from './scan.ts';
import { eventInput, pixelPayload } from './schema.ts';

/** Looking for half characters stops after so many values; the event is named all the same. */
const MAX_LOOKS = 200_000;

/**
 * The slow road: a scan found that a body cannot be taken; this says why, in words, with every
 * fault that a sender would want to mend at once. Its work is bounded, since anyone who may send
 * can send it nonsense of 16 MiB.
 */
export const explainBatch = (bytes: Buffer, failure: Failure): HttpError =>
  explain(bytes, failure, '', batchErrors);

export const explainPixel = (bytes: Buffer, failure: Failure): HttpError =>
  explain(bytes, failure, 'events', (value) => errorsOf(pixelPayload, value));

function explain(
  bytes: Buffer,
  { flaw, element, field }: Failure,
  list: string,
  shapeErrors: (value: unknown) => FieldError[],
): HttpError {
  const place = [element < 0 ? '' : `${list}[${element}]`, field].filter(Boolean).join('.');
  // Parsing so deep a text would only take time.
  if (flaw === 'depth') {
    return problems.invalid([
      { path: place, message: `is nested deeper than ${MAX_DEPTH} levels` },
    ]);
  }
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    return problems.notJson((error as Error).message);
  }
  if (Array.isArray(value) && value.length > MAX_EVENTS) {
    return problems.tooLarge('The batch', `${MAX_EVENTS} events`);
  }
  const errors = [...shapeErrors(value), ...(flaw === 'surrogate' ? halves(value) : [])];
  if (errors.length > 0) return problems.invalid(errors.slice(0, MAX_ERRORS));
  if (flaw === 'surrogate') return problems.invalid([{ path: place, message: HALF }]);
  if (flaw === 'duplicate') {
    return problems.invalid([{ path: place, message: 'is given twice' }]);
  }
  return problems.notJson('it is not plain JSON (RFC 8259)');
}

function batchErrors(value: unknown): FieldError[] {
  if (!Array.isArray(value)) {
    return [{ path: '', message: 'The body must be a list of events: put a single one in [ ]' }];
  }
  const errors: FieldError[] = [];
  for (const [index, item] of value.entries()) {
    for (const { path, message } of errorsOf(eventInput, item)) {
      errors.push({ path: `[${index}]${path === '' ? '' : `.${path}`}`, message });
    }
    if (errors.length >= MAX_ERRORS) break;
  }
  return errors;
}

function errorsOf(schema: z.ZodType, value: unknown): FieldError[] {
  const judged = schema.safeParse(value);
  return judged.success ? [] : fieldErrors(judged.error.issues);
}

const HALF = 'has half of a surrogate pair';

/** Iterative, since the value may be deep. */
function halves(root: unknown): FieldError[] {
  const errors: FieldError[] = [];
  const todo: { value: unknown; path: readonly PropertyKey[] }[] = [{ value: root, path: [] }];
  let looks = 0;
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { value, path } = next;
    if (++looks > MAX_LOOKS || errors.length >= MAX_ERRORS) break;
    if (typeof value === 'string' && !value.isWellFormed()) {
      errors.push({ path: pathText(path), message: HALF });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (!key.isWellFormed()) {
          errors.push({ path: pathText(path), message: 'has a key with half of a surrogate pair' });
        }
        if (typeof inner !== 'string' && typeof inner !== 'object') continue;
        // A path of full length for each level would cost the square of the depth.
        const step = Array.isArray(value) ? Number(key) : key;
        todo.push({ value: inner, path: path.length < 12 ? [...path, step] : path });
      }
    }
  }
  return errors.reverse();
}
