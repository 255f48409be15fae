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
/** Of a request without events; and its address with all its headers, a pixel's among them. */
export const MAX_JSON_BYTES = MIB;
export const SIGN_IN_BYTES = 4 * KIB;
export const MAX_HEAD_BYTES = 96 * KIB;
export const MAX_HEADERS = 1000;
/** JSON deeper than this: readers written in other languages would fail on the answer. */
export const MAX_DEPTH = 1000;

/**
 * Bodies that are coming in, shared by keys and their addresses. One alone may hold a third of
 * this, a key half of it: beside two that hold all they may, there is room for the largest body.
 */
export const BODIES_BYTES = 9 * MAX_BODY_BYTES;

/** Requests a minute: the first two are settings, by key; the third is by address. */
export const EVENTS_PER_MINUTE = 1000;
export const PIXELS_PER_MINUTE = 2000;
export const STRANGERS_PER_MINUTE = 60;

/**
 * Wrong passwords: so many are free, then each makes wait twice as long as the one before, up to the
 * longest. Short enough that an owner behind the same address as a guesser gets in; all addresses
 * together have 8,640 guesses a day, at passwords of 10 characters or more.
 */
export const GUESSES = { free: 5, firstWaitMs: SECOND, longestWaitMs: 60 * SECOND } as const;
export const ALL_GUESSES = { free: 20, firstWaitMs: SECOND, longestWaitMs: 10 * SECOND } as const;
/** Hashing a password takes a thread, so one is judged at a time, and so many may wait. */
export const WAITING_PASSWORDS = 50;
/** Tests and resends of a webhook, a minute and tenant: whoever has more could search for ports. */
export const WEBHOOK_TRIES_PER_MINUTE = 6;

/** An answer that says what is wrong with a body: so many errors, each with a path so long. */
export const MAX_ERRORS = 1000;
export const MAX_PATH_CHARS = 200;

/** The refused requests that are kept for each tenant, and what is kept of each. */
export const KEPT_REFUSALS = 10_000;
export const KEPT_REFUSAL_BYTES = 64 * MIB;
export const KEPT_PAYLOAD_BYTES = 64 * KIB;
export const KEPT_ERRORS = 100;
export const KEPT_DETAIL_CHARS = 1000;

/** Pairs of type and source that are counted by name: a setting of the tenant, and its limits. */
export const NAMES = 2000;
export const FEWEST_NAMES = 100;
export const MOST_NAMES = 20_000;
/** A longer name is never among them. */
export const NAME_CHARS = 200;

/**
 * Shared by tenants: journaled and not yet in the database; and taken in, but not yet journaled.
 * Escapes may make a body's line twice as long, and that must fit into the share of one.
 */
export const UNFLUSHED_BYTES = 512 * MIB;
export const UNWRITTEN_BYTES = 6 * MAX_BODY_BYTES;

/** Events that wait for room in the journal, and the disk that writes them: together as below. */
export const ROOM_MS = 20 * SECOND;
export const WRITE_MS = 10 * SECOND;

/** Requests under way, of all keys and sessions together; a lone one may have a third of them. */
export const MAX_ASKED = 240;
/**
 * Any answer has begun by then. What only reads is ended; what changes something is told that it goes
 * on, since it is done whole.
 */
export const ANSWER_MS = 30 * SECOND;
/** An answer that is longer goes out in pieces of this size, each read once the last was taken. */
export const PIECE_BYTES = MIB;
/** Held for answers that were not taken yet, and how long one may wait that takes nothing. */
export const UNTAKEN_BYTES = 128 * MIB;
export const STALLED_MS = 20 * SECOND;

export const MAX_STREAMS = 100;
/** A reader of a live stream that is so far behind is let go; it comes back with its Last-Event-ID. */
export const MAX_BEHIND_BYTES = 4 * MIB;

/**
 * Each address has a share of the connections; a proxy that is trusted or on this machine may have
 * all of them. At the bound, a connection that is idle makes room for a new one.
 */
export const MAX_CONNECTIONS = 2000;
/** One request as a whole, its headers, and a connection that says nothing between two of them. */
export const REQUEST_MS = 60 * SECOND;
export const HEADERS_MS = 10 * SECOND;
export const KEEP_ALIVE_MS = 72 * SECOND;
/** What a body has to bring from one look to the next. */
export const BODY_BYTES_PER_SECOND = 16 * KIB;
export const BODY_CHECK_MS = 5 * SECOND;

export interface Bound {
  what: string;
  bound: string;
  /** What one gets who exceeds it. */
  beyond: string;
}

export const size = (bytes: number) =>
  bytes < MIB ? `${bytes / KIB} KiB` : `${(bytes / MIB).toLocaleString('en')} MiB`;
export const seconds = (ms: number) => `${ms / SECOND} s`;
export const count = (number: number) => number.toLocaleString('en');

const guesses = ({ free, longestWaitMs }: typeof GUESSES | typeof ALL_GUESSES) =>
  `${free}, then one every 1 to ${longestWaitMs / SECOND} s`;

/** In the order in which somebody meets them. */
export const BOUNDS: readonly Bound[] = [
  { what: 'Body of `POST /events`', bound: size(MAX_BODY_BYTES), beyond: '413' },
  { what: 'Events in one body', bound: count(MAX_EVENTS), beyond: '413' },
  { what: 'Bodies being received, shared', bound: size(BODIES_BYTES), beyond: '503' },
  {
    what: 'Slowest upload of a body',
    bound: `${size((BODY_BYTES_PER_SECOND * BODY_CHECK_MS) / SECOND)} in ${BODY_CHECK_MS / SECOND} seconds`,
    beyond: '408',
  },
  {
    what: 'Time to send a request, and its headers',
    bound: `${REQUEST_MS / SECOND} and ${HEADERS_MS / SECOND} seconds`,
    beyond: '408',
  },
  { what: 'URL of a pixel', bound: size(MAX_PIXEL_CHARS), beyond: '413' },
  { what: 'Body of any other request', bound: size(MAX_JSON_BYTES), beyond: '413' },
  {
    what: 'URL and headers together',
    bound: `${size(MAX_HEAD_BYTES)} and ${count(MAX_HEADERS)} headers`,
    beyond: '413',
  },
  { what: '`POST /events`, by key', bound: `${count(EVENTS_PER_MINUTE)} a minute`, beyond: '429' },
  { what: 'Pixels, by key', bound: `${count(PIXELS_PER_MINUTE)} a minute`, beyond: '429' },
  {
    what: 'Requests without a valid key, by address',
    bound: `${count(STRANGERS_PER_MINUTE)} a minute`,
    beyond: '429',
  },
  { what: 'Wrong passwords, by address', bound: guesses(GUESSES), beyond: '429' },
  {
    what: 'Wrong passwords, by all new browsers together',
    bound: guesses(ALL_GUESSES),
    beyond: '429',
  },
  {
    what: 'Refused requests kept, by tenant',
    bound: `${count(KEPT_REFUSALS)} and ${size(KEPT_REFUSAL_BYTES)}`,
    beyond: 'the oldest are deleted',
  },
  {
    what: 'Tests and resends of a webhook, by tenant',
    bound: `${count(WEBHOOK_TRIES_PER_MINUTE)} a minute`,
    beyond: '429',
  },
  {
    what: 'Events waiting for the database, shared',
    bound: size(UNFLUSHED_BYTES),
    beyond: 'the answer waits, then 503',
  },
  {
    what: 'Connections, shared',
    bound: count(MAX_CONNECTIONS),
    beyond: 'an idle one makes room, else closed',
  },
  { what: 'Requests in progress, shared', bound: count(MAX_ASKED), beyond: '429' },
  {
    what: 'Time until an answer begins',
    bound: seconds(ANSWER_MS),
    beyond: '503',
  },
  { what: 'Answers not yet read, shared', bound: size(UNTAKEN_BYTES), beyond: '429' },
  { what: 'Time without reading an answer', bound: seconds(STALLED_MS), beyond: 'cut off' },
  { what: 'Live streams, shared', bound: count(MAX_STREAMS), beyond: '429' },
  {
    what: 'Unread events of a live stream',
    bound: size(MAX_BEHIND_BYTES),
    beyond: 'cut off; resumes from `Last-Event-ID`',
  },
  {
    what: 'Pairs of type and source counted by name, by tenant (a setting)',
    bound: count(NAMES),
    beyond: 'others are counted together',
  },
  {
    what: 'Length of a type or source counted by name',
    bound: `${count(NAME_CHARS)} characters`,
    beyond: 'counted with the others',
  },
];

/** As Markdown. */
export const boundsTable = (): string =>
  [
    '| what | bound | beyond it |',
    '| --- | --- | --- |',
    ...BOUNDS.map(({ what, bound, beyond }) => `| ${what} | ${bound} | ${beyond} |`),
  ].join('\n');
