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

/** Pairs of type and source that are counted by name: a setting of the tenant, and its limits. */
export const NAMES = 2000;
export const FEWEST_NAMES = 100;
export const MOST_NAMES = 20_000;
/** A longer name is never among them. */
export const NAME_CHARS = 200;

/** Journaled and not yet in the database; and accepted, but not yet journaled. */
export const UNFLUSHED_BYTES = 256 * MIB;
export const UNWRITTEN_BYTES = 64 * MIB;

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
  {
    what: 'Pairs of type and source that are counted by name, by tenant (a setting)',
    bound: count(NAMES),
    beyond: 'the rest is counted together',
  },
  {
    what: 'A type or source that is counted by name',
    bound: `${count(NAME_CHARS)} characters`,
    beyond: 'counted with the rest',
  },
  { what: 'Live streams', bound: count(MAX_STREAMS), beyond: '429' },
];

/** As Markdown. */
export const boundsTable = (): string =>
  [
    '| what | bound | beyond it |',
    '| --- | --- | --- |',
    ...BOUNDS.map(({ what, bound, beyond }) => `| ${what} | ${bound} | ${beyond} |`),
  ].join('\n');
