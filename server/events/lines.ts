import {
  KEPT_DETAIL_CHARS,
  KEPT_ERRORS,
  KEPT_PAYLOAD_BYTES,
  MAX_PATH_CHARS,
} from '../platform/bounds.ts';
import type { HttpError } from '../platform/errors.ts';
import { shortened } from '../platform/text.ts';
import type { Line } from './journal.ts';
import { PART } from './shapes.ts';
import type { Scan, Sealed } from './scan.ts';

/**
 * Journal lines. A batch is journaled as it came; a pixel is put into the same words as a batch,
 * with the pixel's own ones in `context`.
 *
 * The database reads numbers as doubles and writes them back in its own spelling. Where that
 * could change one, the value travels as a string that holds its text (`exact`), which the store
 * takes apart again: a payload is always an object, so the two cannot be mistaken.
 */
export interface Head {
  stem: string;
  tenantId: string;
  at: number;
}

export function batchLine(head: Head, text: Sealed, scan: Scan): Line {
  const body = scan.exact ? exactly(text, scan.kept) : withoutLineBreaks(text);
  const start = `${opening(head)}"items":`;
  return {
    tenantId: head.tenantId,
    pieces: [start, body, '}\n'],
    bytes: start.length + body.length + 2,
    events: scan.elements,
  };
}

export function pixelLine(head: Head, text: Sealed, scan: Scan): Line {
  const bytes = withoutLineBreaks(text);
  const slice = (index: number) =>
    bytes.toString('latin1', scan.kept[index + 1], scan.kept[index + 2]);
  const quote = scan.exact ? asString : (text: string) => text;

  // The source may stand behind the events that it belongs to.
  let source = '';
  let sourceId: string | undefined;
  for (let i = 0; i < scan.kept.length; i += 3) {
    if (scan.kept[i] === PART.source) source = slice(i);
    if (scan.kept[i] === PART.sourceId) sourceId = slice(i);
  }
  const idOfSource = sourceId === undefined ? '' : `"source_id":${sourceId}`;
  let items = '';
  let events = 0;
  let type = '';
  let data = '';
  let context = idOfSource;
  for (let i = 0; i < scan.kept.length; i += 3) {
    switch (scan.kept[i]) {
      case PART.type:
        type = slice(i);
        break;
      case PART.data:
        data = slice(i);
        break;
      case PART.timestamp:
        context += `${context === '' ? '' : ','}"timestamp":${slice(i)}`;
        break;
      case PART.metadata:
        context += `${context === '' ? '' : ','}"metadata":${slice(i)}`;
        break;
      case PART.event:
        items +=
          `${events++ === 0 ? '' : ','}{"source":${source},"event_type":${type},` +
          `"data":${quote(data)},"context":${quote(`{${context}}`)}}`;
        context = idOfSource;
    }
  }
  return whole(head, `"pixel":[${items}]}\n`, events);
}

/**
 * A refused request, as the dashboard will show it. Its words may quote anything that was sent, so
 * each of them is cut, and made text that a database and a browser can hold.
 */
export function refusalLine(
  head: Head,
  endpoint: 'events' | 'collect',
  why: HttpError,
  payload: Buffer,
): Line {
  const refusal = {
    endpoint,
    status: why.status,
    detail: shortened(why.message, KEPT_DETAIL_CHARS),
    errors: (why.errors ?? []).slice(0, KEPT_ERRORS).map(({ path, message }) => ({
      path: shortened(path, MAX_PATH_CHARS),
      message: shortened(message, KEPT_DETAIL_CHARS),
    })),
    payload: textWithin(payload, KEPT_PAYLOAD_BYTES),
  };
  const json = JSON.stringify(refusal, (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
  return whole(head, `"refused":${Buffer.from(json).toString('latin1')}}\n`, 0);
}

/** Each byte that is no text takes three as text. */
function textWithin(bytes: Buffer, most: number): string {
  const text = bytes.toString('utf8', 0, most);
  return Buffer.byteLength(text) <= most ? text : Buffer.from(text).toString('utf8', 0, most - 2);
}

function opening({ stem, tenantId, at }: Head): string {
  return `{"stem":"${stem}","tenant":"${tenantId}","ms":${at},`;
}

function whole(head: Head, rest: string, events: number): Line {
  const text = opening(head) + rest;
  return { tenantId: head.tenantId, pieces: [text], bytes: text.length, events };
}

const asString = (text: string): string => JSON.stringify(text);

/** A line break within JSON is only ever a blank; within the journal it ends a line. */
function withoutLineBreaks({ bytes, length }: Sealed): Buffer {
  const text = bytes.subarray(0, length);
  for (const lineBreak of [0x0a, 0x0d]) {
    for (let at = text.indexOf(lineBreak); at >= 0; at = text.indexOf(lineBreak, at + 1)) {
      text[at] = 0x20;
    }
  }
  return text;
}

function exactly(text: Sealed, kept: readonly number[]): Buffer {
  const bytes = withoutLineBreaks(text);
  let line = '';
  let copied = 0;
  for (let i = 0; i < kept.length; i += 3) {
    const [start, end] = [kept[i + 1] as number, kept[i + 2] as number];
    line +=
      bytes.toString('latin1', copied, start) + asString(bytes.toString('latin1', start, end));
    copied = end;
  }
  return Buffer.from(line + bytes.toString('latin1', copied), 'latin1');
}
