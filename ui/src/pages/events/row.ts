import type { Event } from '$server/events/schema.ts';
import { isBranch, sizeOf } from '../../lib/payload.ts';
import { day, visible } from '../../lib/words.ts';

/** An event as the list needs it. A large payload is left behind and asked for when it is opened. */
export interface Row {
  id: string;
  at: number;
  day: string;
  type: string;
  source: string;
  preview: string;
  event: Event | undefined;
}

/** As much of a payload as a line can show, and then some. */
const PREVIEW = 220;
/** Payloads of about so many characters are kept whole. */
export const KEPT = 16_000;

export function rowOf(event: Event, isKept: boolean): Row {
  const at = Date.parse(event.created_at);
  return {
    id: event.id,
    at,
    day: day(at),
    type: event.event_type,
    source: event.source,
    preview: visible(previewOf(event.data)),
    event: isKept ? event : undefined,
  };
}

/** The first fields of a payload in one line; it never walks through more than is shown. */
function previewOf(data: object): string {
  let text = '';
  for (const key in data) {
    if (text.length > PREVIEW) return `${text.slice(0, PREVIEW)}…`;
    const value: unknown = Reflect.get(data, key);
    text += `${text && ', '}${key.slice(0, 80)}: ${valueOf(value)}`;
  }
  return text.length > PREVIEW ? `${text.slice(0, PREVIEW)}…` : text;
}

function valueOf(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  }
  if (!isBranch(value)) return String(value);
  if (Array.isArray(value)) return sizeOf(value);
  let text = '';
  for (const key in value) {
    if (text.length > 120) return `{${text}, …}`;
    const inner: unknown = Reflect.get(value, key);
    const short = typeof inner === 'string' ? JSON.stringify(inner.slice(0, 40)) : String(inner);
    text += `${text && ', '}${key.slice(0, 40)}: ${isBranch(inner) ? sizeOf(inner) : short}`;
  }
  return `{${text}}`;
}

export const idsOf = (rows: readonly Row[]): ReadonlySet<string> =>
  new Set(rows.map(({ id }) => id));

/** What to ask for to go on below these: the cursor that a page which ended here would have had. */
export function below(rows: readonly Row[]): { cursor?: string } {
  const last = rows.at(-1);
  return last ? { cursor: `${last.at}.${last.id}` } : {};
}
