import type { z } from 'zod';
import { readAtStart } from './files.ts';
import type { Wait } from './files.ts';
import { fieldErrors } from './validation.ts';

export type Reading<T> =
  { kind: 'missing' } | { kind: 'good'; data: T; text: string } | { kind: 'bad'; why: string };

/**
 * A file that people may have edited, or that a power cut may have left as anything. Throws where it
 * cannot be read at all, which says nothing about what is in it.
 */
export async function readJson<T>(
  file: string,
  schema: z.ZodType<T>,
  wait?: Wait,
): Promise<Reading<T>> {
  const bytes = await readAtStart(file, wait);
  if (bytes === undefined) return { kind: 'missing' };
  // Some editors put a byte order mark in front, which JSON does not know.
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The engine's own words would quote a piece of the file.
    return { kind: 'bad', why: 'not valid JSON' };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { kind: 'good', data: parsed.data, text };
  const [first] = fieldErrors(parsed.error.issues);
  return { kind: 'bad', why: first ? `${first.path} ${first.message}`.trim() : 'not valid' };
}
