import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { fieldErrors } from './validation.ts';

export type Reading<T> =
  { kind: 'missing' } | { kind: 'good'; data: T; text: string } | { kind: 'bad'; why: string };

/** A file that people may have edited, or that a power cut may have left as anything. */
export async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<Reading<T>> {
  let text: string;
  try {
    // Some editors put a byte order mark in front, which JSON does not know.
    text = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? { kind: 'missing' } : { kind: 'bad', why: message };
  }
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
