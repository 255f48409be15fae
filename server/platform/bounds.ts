/**
 * The bounds on all that somebody outside can send, ask for or hold, in one place. What stands in
 * the table below is what the README and the API's description say.
 */
const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND = 1000;

/** One request with events. */
export const MAX_BODY_BYTES = 16 * MIB;
export const MAX_EVENTS = 50_000;
export const MAX_PIXEL_CHARS = 64 * KIB;
/** JSON deeper than this: readers written in other languages would fail on the answer. */
export const MAX_DEPTH = 1000;

/** Requests a minute: the first two are settings, by key; the third is by address. */
export const EVENTS_PER_MINUTE = 1000;
export const PIXELS_PER_MINUTE = 2000;
export const STRANGERS_PER_MINUTE = 60;

/** What is kept of each refused request, and how many of them for each tenant. */
export const KEPT_REFUSALS = 10_000;
export const KEPT_PAYLOAD_BYTES = 64 * KIB;

/** Journaled and not yet in the database; and accepted, but not yet journaled. */
export const UNFLUSHED_BYTES = 256 * MIB;
export const UNWRITTEN_BYTES = 64 * MIB;

/** Requests under way, of all keys and sessions together; a lone one may have a third of them. */
export const MAX_ASKED = 240;
/** An answer that is longer goes out in pieces of this size, each read once the last was taken. */
export const PIECE_BYTES = 4 * MIB;
/** Held for answers that were not taken yet, and how long one may wait that takes nothing. */
export const UNTAKEN_BYTES = 256 * MIB;
export const STALLED_MS = 20 * SECOND;

export const MAX_STREAMS = 100;
/** A reader of a live stream that is so far behind is let go; it comes back with its Last-Event-ID. */
export const MAX_BEHIND_BYTES = 4 * MIB;

/** One request as a whole, and a connection that says nothing. */
export const REQUEST_MS = 60 * SECOND;
export const KEEP_ALIVE_MS = 72 * SECOND;

export interface Bound {
  what: string;
  bound: string;
  /** What one gets who exceeds it. */
  beyond: string;
}

const size = (bytes: number) =>
  bytes < MIB ? `${bytes / KIB} KiB` : `${(bytes / MIB).toLocaleString('en')} MiB`;
const seconds = (ms: number) => `${ms / SECOND} s`;
const count = (number: number) => number.toLocaleString('en');

/** In the order in which somebody meets them. */
export const BOUNDS: readonly Bound[] = [
  { what: 'Body of `POST /events`', bound: size(MAX_BODY_BYTES), beyond: '413' },
  { what: 'Events in one body', bound: count(MAX_EVENTS), beyond: '413' },
  { what: 'URL of a pixel', bound: size(MAX_PIXEL_CHARS), beyond: '413' },
  { what: '`POST /events`, by key', bound: `${count(EVENTS_PER_MINUTE)} a minute`, beyond: '429' },
  { what: 'Pixels, by key', bound: `${count(PIXELS_PER_MINUTE)} a minute`, beyond: '429' },
  {
    what: 'Requests without a valid key, by address',
    bound: `${count(STRANGERS_PER_MINUTE)} a minute`,
    beyond: '429',
  },
  {
    what: 'Refused requests that are kept, by tenant',
    bound: count(KEPT_REFUSALS),
    beyond: 'the oldest go',
  },
  { what: 'Requests under way, shared', bound: count(MAX_ASKED), beyond: '429' },
  { what: 'Answers not yet taken, shared', bound: size(UNTAKEN_BYTES), beyond: '429' },
  { what: 'An answer of which nothing is taken', bound: seconds(STALLED_MS), beyond: 'is cut' },
  { what: 'Live streams, shared', bound: count(MAX_STREAMS), beyond: '429' },
  {
    what: 'Events in a live stream that are not yet taken',
    bound: size(MAX_BEHIND_BYTES),
    beyond: 'is cut; goes on from `Last-Event-ID`',
  },
];

/** As Markdown. */
export const boundsTable = (): string =>
  [
    '| what | bound | beyond it |',
    '| --- | --- | --- |',
    ...BOUNDS.map(({ what, bound, beyond }) => `| ${what} | ${bound} | ${beyond} |`),
  ].join('\n');
