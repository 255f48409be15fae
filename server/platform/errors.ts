/**
 * Every error that answers a request: its status, its words, and nothing else. Those that end a start
 * stand in start-errors.ts.
 */
export interface FieldError {
  path: string;
  message: string;
}

interface Extras {
  /** For those inside who must tell two of the same status apart. */
  code?: string;
  errors?: FieldError[];
  headers?: Record<string, string>;
}

export class HttpError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly errors: FieldError[] | undefined;
  readonly headers: Record<string, string>;

  constructor(status: number, detail: string, { code, errors, headers = {} }: Extras = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.headers = headers;
  }

  body(): { detail: string; errors?: FieldError[] } {
    return this.errors ? { detail: this.message, errors: this.errors } : { detail: this.message };
  }
}

/** What a fault of the tag manager says for itself. */
interface TagManagerWords {
  code: string;
  message: string;
  next: string;
  waitSeconds: number;
}

/** All others wait for the person to put something right. */
const FAULT_STATUS: Record<string, number> = {
  not_found: 404,
  quota: 503,
  quota_day: 503,
  unreachable: 503,
};

const seconds = (value: number) => ({
  headers: { 'retry-after': String(Math.max(1, Math.ceil(value))) },
});

export const NOT_LOCAL = 'not-local';

export const problems = {
  // 400: the request cannot be read
  notJson: (why: string) => new HttpError(400, `This is not valid JSON: ${why}`),
  badRequest: (detail: string, errors?: FieldError[]) =>
    new HttpError(400, detail, errors ? { errors } : {}),
  manyHosts: () => new HttpError(400, 'Send exactly one Host header'),
  pixelUnreadable: (why: string) =>
    new HttpError(400, `Parameter d is neither URL-encoded JSON nor base64 of it: ${why}`),

  // 401: who is asking?
  noKey: () => new HttpError(401, 'API key is missing: send it in the X-API-Key header'),
  noPixelKey: () => new HttpError(401, 'API key is missing: send it in the query parameter k'),
  badKey: () => new HttpError(401, 'API key is invalid'),
  notSignedIn: () => new HttpError(401, 'API key is missing and nobody is signed in'),
  wrongPassword: () => new HttpError(401, 'Wrong password'),
  badSignInToken: () => new HttpError(401, 'This sign-in link was used already or has expired'),
  noPasswordSet: () =>
    new HttpError(401, 'No password is set yet: sign in with the link that Vedette shows'),

  // 403: known, but not allowed
  insufficientScope: (need: string) =>
    new HttpError(403, `Insufficient permissions: this needs a key that may ${need}`),
  domainNotAllowed: (domain: string) =>
    new HttpError(403, `Domain is not allowed for this key: ${domain}`),
  dashboardNotLocal: () =>
    new HttpError(
      403,
      'The dashboard answers on this machine only; switch on "dashboard on the LAN" to change that',
      { code: NOT_LOCAL },
    ),
  wrongHost: () => new HttpError(403, 'This host name is not one that the dashboard answers to'),
  crossOrigin: () => new HttpError(403, 'This request comes from another site'),
  privateByKey: () =>
    new HttpError(
      403,
      'Insufficient permissions: this address is on a private network, and no API key can allow ' +
        'that. Set it in the dashboard',
    ),
  sessionNeeded: () =>
    new HttpError(403, 'Insufficient permissions: sign in to the dashboard for this'),

  // 404 to 415: the request is for something else
  notFound: (what: string) => new HttpError(404, `${what} does not exist`),
  methodNotAllowed: (allowed: string[]) =>
    new HttpError(405, `Method not allowed; this path takes ${allowed.join(', ')}`, {
      headers: { allow: allowed.join(', ') },
    }),
  otherTenant: () =>
    new HttpError(412, 'Another window shows another tenant now, so nothing was done here'),
  conflict: (detail: string) => new HttpError(409, detail),
  lastFullKey: () =>
    new HttpError(
      409,
      'This is the last key that may change things, so it cannot delete itself: ' +
        'make another full key first, or delete it in the dashboard',
    ),
  alreadyRotated: () => new HttpError(409, 'This key was rotated already: rotate its replacement'),
  secretUnreadable: () =>
    new HttpError(409, "This key's secret can no longer be shown: rotate the key to get a new one"),
  webhookUnreadable: () =>
    new HttpError(
      409,
      "This webhook's secret can no longer be decrypted: set the webhook up again to get a new one",
    ),
  tooManyRules: (limit: number) =>
    new HttpError(409, `There can be ${limit} rules at most: delete some that are not needed`),
  noWebhook: () => new HttpError(409, 'There is no webhook that is switched on to send this to'),
  settingOverridden: (names: string[]) =>
    new HttpError(
      409,
      `Set by a start option, so it cannot be changed here: ${names.join(', ')}. ` +
        'Start Vedette without that option to change it.',
    ),
  lanNeedsPassword: () =>
    new HttpError(409, 'Set a password before you open the dashboard to the LAN'),
  publicNeedsPassword: () =>
    new HttpError(
      409,
      'Set a password before you enter a public address: a proxy that passes on too much would ' +
        'open the dashboard to everyone',
    ),
  tooLarge: (what: string, limit: string) =>
    new HttpError(413, `${what} is too large: at most ${limit}`),
  answerTooLarge: () =>
    new HttpError(413, 'The answer would be too large: ask for fewer with limit'),
  cutOff: () => new HttpError(400, 'The request was cut off'),
  tooSlow: () =>
    new HttpError(408, 'The request took too long to arrive', { headers: { connection: 'close' } }),
  encodingUnknown: () =>
    new HttpError(415, 'Content-Encoding is not supported: send the body as it is'),
  charsetUnknown: () =>
    new HttpError(415, 'Only UTF-8 is understood: send the body in that charset'),
  expectationUnknown: () => new HttpError(417, 'Only Expect: 100-continue is understood'),
  notJsonType: () => new HttpError(415, 'Content-Type must be application/json'),

  // 404, 409 and 503: the tag manager
  tagManagerFault: ({ code, message, next, waitSeconds }: TagManagerWords) => {
    const status = FAULT_STATUS[code] ?? 409;
    const headers = status === 503 ? seconds(waitSeconds || 30) : {};
    return new HttpError(status, `${message} ${next}`.trim(), { code, ...headers });
  },
  tagManagerBusy: () =>
    new HttpError(
      409,
      'The tag manager is being read or written already: wait until that is done, or stop it',
    ),
  tagManagerWriting: () =>
    new HttpError(409, 'Changes are being written into the container: wait until that is done'),
  tagManagerConnected: () =>
    new HttpError(409, 'The connection that there is belongs to this client: disconnect first'),
  noClient: () => new HttpError(409, 'Enter the OAuth client ID first'),
  clientUnreadable: () =>
    new HttpError(
      409,
      'The stored client secret cannot be decrypted. When About says that a keyring is waited ' +
        'for, unlock that; else enter the secret again',
    ),
  changeClosed: () =>
    new HttpError(409, 'This change was decided already, or is being written: look at it again'),
  consentNotTaken: () =>
    new HttpError(503, 'The consent could not be taken; why is in the log. Connect again', {
      ...seconds(5),
    }),
  changeNeeds: (names: string[]) =>
    new HttpError(
      409,
      `This needs other changes that must be accepted with it: ${names.join(', ')}`,
    ),
  changeOpen: (name: string) =>
    new HttpError(
      409,
      `There is an open proposal for this already: ${name}. Decide on that first.`,
    ),
  tooManyOpen: (open: number, most: number) =>
    new HttpError(
      409,
      `At most ${most.toLocaleString('en')} proposals can be open at a time, and ` +
        `${open.toLocaleString('en')} are: accept or reject some first`,
    ),
  changesInterrupted: () =>
    new HttpError(409, 'Changes that were accepted before are not finished: go on with them first'),
  objectGone: (name: string) =>
    new HttpError(409, `${name} is no longer in the tag manager: reject this change`),
  snapshotNeeded: () =>
    new HttpError(409, 'There is no snapshot of this workspace as it is now: take one first'),

  // 422: JSON of the wrong shape
  invalid: (errors: FieldError[]) =>
    new HttpError(422, errors.slice(0, 3).map(describe).join('; ') + more(errors.length - 3), {
      errors,
    }),

  /** Not 401, which would tell a dashboard that nobody is signed in. */
  currentPassword: (message: string) => problems.invalid([{ path: 'current_password', message }]),

  // 429 and 503: later
  tooMany: (limit: number, waitSeconds: number) =>
    new HttpError(
      429,
      `Rate limit exceeded: at most ${limit} requests a minute`,
      seconds(waitSeconds),
    ),
  tooManyAttempts: (waitSeconds: number) =>
    new HttpError(429, 'Too many attempts; try again later', seconds(waitSeconds)),
  tooManyStreams: (limit: number) =>
    new HttpError(
      429,
      `Too many live streams are open: at most ${limit}, shared by all clients`,
      seconds(30),
    ),
  tooManyAsked: (limit: number) =>
    new HttpError(
      429,
      `Too many requests at once: at most ${limit}, shared by all clients`,
      seconds(2),
    ),
  tooMuchUnread: (limit: string) =>
    new HttpError(
      429,
      `Too much of earlier answers is still unread: at most ${limit}, shared by all clients`,
      seconds(5),
    ),
  /** Seen by nobody, since it is for those who have left. */
  nobodyWaits: () => new HttpError(503, 'Nobody waits for this answer any more', seconds(1)),
  tookTooLong: (limit: string) =>
    new HttpError(
      503,
      `This took longer than ${limit} and was ended: ask for less, or try again later`,
      seconds(10),
    ),
  stillUnderWay: (limit: string) =>
    new HttpError(
      503,
      `This is taking longer than ${limit} and may still finish: check before you try again`,
      seconds(30),
    ),
  busy: () => new HttpError(503, 'Too much is waiting to be stored; try again shortly', seconds(2)),
  cannotStore: () =>
    new HttpError(503, 'Events cannot be written to disk right now; nothing was kept', seconds(10)),
  cannotRead: () =>
    new HttpError(
      503,
      'The newest events cannot be read right now; they are safe and will be there shortly',
      seconds(10),
    ),
  databaseFailed: () =>
    new HttpError(
      503,
      'The database cannot be read right now and is being reopened; accepted events are safe',
      seconds(10),
    ),
  /** Why a question about counts has no answer. */
  countedWithOthers: () =>
    new Error('some of these events were not counted by name, and are no longer kept'),
  cannotWrite: () =>
    new HttpError(
      503,
      'The database cannot be written to disk right now; nothing was changed',
      seconds(10),
    ),
  closing: () => new HttpError(503, 'Vedette is closing', seconds(5)),
  settingsNotSaved: () =>
    new HttpError(
      503,
      'The settings cannot be written to disk right now; nothing was changed',
      seconds(10),
    ),
  settingsCopyNotSaved: () =>
    new HttpError(
      503,
      'The copy of the settings cannot be written to disk right now, and still has what was ' +
        'removed from them. Try again',
      seconds(10),
    ),
  signInBusy: () =>
    new HttpError(503, 'Too many are signing in at once; try again shortly', seconds(2)),

  webhookLoop: () =>
    new HttpError(
      508,
      'Vedette does not accept the webhooks of another Vedette: alerts would go round in a loop',
    ),

  internal: (requestId: string) =>
    new HttpError(500, `Something went wrong here; it is in the log as ${requestId}`),
};

function describe({ path, message }: FieldError): string {
  return path === '' ? message : `${path}: ${message}`;
}

function more(count: number): string {
  return count > 0 ? `; and ${count} more` : '';
}
