import { refusals } from './answers.ts';
import { some } from './versions.ts';

/** One page of a list, and where the next one begins. */
export function page(name: string, all: object[], query: URLSearchParams, size: number): object {
  const from = offsetOf(query.get('pageToken'), all.length);
  const end = from + size;
  return {
    ...some(name, all.slice(from, end)),
    ...(end < all.length && { nextPageToken: tokenFor(end) }),
  };
}

function tokenFor(offset: number): string {
  return Buffer.from(`page ${offset}`).toString('base64url');
}

function offsetOf(token: string | null, length: number): number {
  if (token === null || token === '') return 0;
  const offset = Number(/^page (\d+)$/.exec(Buffer.from(token, 'base64url').toString())?.[1]);
  if (!(offset <= length)) throw refusals.field('pageToken', 'Invalid page token.');
  return offset;
}
