import { MAX_PIXEL_CHARS } from '../platform/bounds.ts';
import { problems } from '../platform/errors.ts';
import { sealed } from './intake.ts';
import type { Sealed } from './scan.ts';

/**
 * A transparent image of one pixel, one letter for each byte: as a text (latin1) it goes out with
 * the headers in one write.
 */
export const GIF = atob('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7');

/** The key, and the data as it stands in the URL. The first of each counts. */
export function readPixelQuery(url: string): { k: string | undefined; d: string | undefined } {
  if (url.length > MAX_PIXEL_CHARS) throw problems.tooLarge('The URL', '64 KiB');
  const query = url.slice(url.indexOf('?') + 1);
  const key = parameter(query, 'k');
  return { k: key === undefined ? undefined : decoded(key), d: parameter(query, 'd') };
}

/** The JSON text in parameter d: URL-encoded, or base64 or base64url of it. */
export function pixelText(parameter: string | undefined): Sealed {
  if (parameter === undefined || parameter === '') throw problems.pixelUnreadable('it is missing');
  const text = decoded(parameter);
  if (text === undefined) throw problems.pixelUnreadable('its percent-encoding is broken');
  if (looksLikeJson(text)) return sealed(text);
  // A plus sign in a query means a blank, but in base64 it means itself.
  const code = text.replaceAll(' ', '+');
  if (/^[A-Za-z0-9+/_-]+={0,2}$/.test(code)) {
    const bytes = Buffer.from(code, 'base64');
    if (looksLikeJson(bytes.toString('latin1', 0, 64))) return sealed(bytes);
  }
  throw problems.pixelUnreadable('it does not begin with {');
}

function looksLikeJson(text: string): boolean {
  return /^\s*[{[]/.test(text);
}

function parameter(query: string, name: string): string | undefined {
  const start = query.startsWith(`${name}=`) ? 0 : query.indexOf(`&${name}=`) + 1;
  if (start === 0 && !query.startsWith(`${name}=`)) return undefined;
  const end = query.indexOf('&', start);
  return query.slice(start + name.length + 1, end < 0 ? undefined : end);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text);
  } catch {
    return undefined;
  }
}
