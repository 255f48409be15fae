import { z } from 'zod';
import { MAX_PATH_CHARS } from './bounds.ts';
import type { FieldError } from './errors.ts';
import { shortened } from './text.ts';

/**
 * The words for every fault that zod can find, and the paths that name where. Schemas say only
 * what is right; this file says what is wrong.
 */
z.config({ localeError: words });

type Issue = z.core.$ZodIssue;

/** What zod found, as the API says it: a path like `[3].data.items` and a few plain words. */
export function fieldErrors(issues: readonly Issue[]): FieldError[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      return [{ path: pathText(issue.path), message: issue.message }];
    }
    return issue.keys.map((key) => ({
      path: pathText([...issue.path, key]),
      message: 'is not known here',
    }));
  });
}

export function pathText(path: readonly PropertyKey[]): string {
  let text = '';
  for (const step of path) {
    if (text.length > MAX_PATH_CHARS) break;
    // The keys of a sender may be as long as the body: cut before anything is put together.
    const name = String(step).slice(0, MAX_PATH_CHARS + 1);
    if (typeof step === 'number') text += `[${name}]`;
    else text += text === '' ? name : `.${name}`;
  }
  return shortened(text, MAX_PATH_CHARS);
}

function words(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${kindOf(issue.expected)}`;
    case 'too_small': {
      const unit = unitOf(issue.origin, issue.minimum);
      return `must ${unit ? 'have' : 'be'} ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${unit}`;
    }
    case 'too_big': {
      const unit = unitOf(issue.origin, issue.maximum);
      return `must ${unit ? 'have' : 'be'} ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${unit}`;
    }
    case 'invalid_value':
      if (issue.input === undefined) return 'is required';
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? `is not a valid ${issue.format}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return unknownKind(issue);
    case 'invalid_key':
      return 'has a key that is not allowed';
    default:
      return 'is not valid';
  }
}

/** Which kind of thing it is decides what else it must have, so that is asked first. */
function unknownKind(issue: object): string {
  const { discriminator, options, input } = issue as {
    discriminator?: string;
    options?: unknown[];
    input?: Record<string, unknown>;
  };
  if (discriminator === undefined || options === undefined) return 'is not valid';
  if (input?.[discriminator] === undefined) return 'is required';
  return `must be one of ${options.map(String).join(', ')}`;
}

const FORMATS: Record<string, string> = {
  datetime: 'must be an ISO 8601 time such as 2026-01-31T12:00:00Z',
  uuid: 'must be a UUID',
  url: 'must be a web address',
};

const KINDS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

function kindOf(expected: string): string {
  return KINDS[expected] ?? expected;
}

function unitOf(origin: string, count: number | bigint): string {
  if (origin === 'string') return count === 1 ? ' character' : ' characters';
  if (origin === 'array' || origin === 'set') return count === 1 ? ' entry' : ' entries';
  return '';
}
