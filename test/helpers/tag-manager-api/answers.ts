/** Answers in the form of Google's APIs. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: object;
}

interface ErrorPart {
  reason: string;
  domain?: string;
  details?: object[];
  headers?: Record<string, string>;
}

/** What the API refuses: thrown where it is found, answered where all answers are made. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(status: number, code: string, message: string, part: ErrorPart) {
    super(message);
    const { reason, domain = 'global', details, headers } = part;
    const error = {
      ...{ code: status, message, status: code, errors: [{ message, domain, reason }] },
      ...(details && { details }),
    };
    this.answer = { status, body: { error }, ...(headers && { headers }) };
  }
}

const info = (reason: string, metadata: Record<string, string> = {}) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  ...{ reason, domain: 'googleapis.com' },
  metadata: { service: 'tagmanager.googleapis.com', ...metadata },
});

const invalid = (message: string, details?: object[]) =>
  new Refusal(400, 'INVALID_ARGUMENT', message, {
    reason: 'badRequest',
    ...(details && { details }),
  });

export const refusals = {
  /** A field and what is wrong with it. */
  field: (name: string, words: string) => invalid(`${name}: ${words}`),
  /** All that it says of some things. */
  vague: () => invalid('Returned an error response for your request.'),
  duplicate: () => invalid('Found entity with duplicate name.'),
  unknownField: (name: string) =>
    invalid(`Invalid JSON payload received. Unknown name "${name}": Cannot find field.`, [
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ description: `Unknown name "${name}": Cannot find field.` }],
      },
    ]),
  malformed: () => invalid('Invalid JSON payload received. Unexpected token.'),
  missing: () =>
    new Refusal(404, 'NOT_FOUND', 'Not found or permission denied.', { reason: 'notFound' }),
  neverPublished: () =>
    new Refusal(404, 'NOT_FOUND', 'Published container version not found', { reason: 'notFound' }),
  unauthenticated: () =>
    new Refusal(
      401,
      'UNAUTHENTICATED',
      'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
      { reason: 'authError', details: [info('ACCESS_TOKEN_EXPIRED')] },
    ),
  scope: () =>
    new Refusal(403, 'PERMISSION_DENIED', 'Request had insufficient authentication scopes.', {
      reason: 'insufficientPermissions',
      details: [info('ACCESS_TOKEN_SCOPE_INSUFFICIENT')],
    }),
  permission: () =>
    new Refusal(403, 'PERMISSION_DENIED', 'The caller does not have permission', {
      reason: 'forbidden',
    }),
  disabled: () =>
    new Refusal(
      403,
      'PERMISSION_DENIED',
      'Tag Manager API has not been used in project 1234567890 before or it is disabled. Enable it by visiting https://console.developers.google.com/apis/api/tagmanager.googleapis.com/overview?project=1234567890 then retry.',
      {
        ...{ reason: 'accessNotConfigured', domain: 'usageLimits' },
        details: [info('SERVICE_DISABLED', { consumer: 'projects/1234567890' })],
      },
    ),
  rate: (status: 403 | 429, retryAfter?: number | string) =>
    new Refusal(
      status,
      status === 429 ? 'RESOURCE_EXHAUSTED' : 'PERMISSION_DENIED',
      "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute' of service 'tagmanager.googleapis.com' for consumer 'project_number:1234567890'.",
      {
        ...{ reason: 'rateLimitExceeded', domain: 'usageLimits' },
        details: [
          info('RATE_LIMIT_EXCEEDED', { quota_limit: 'DefaultRequestsPerMinutePerProject' }),
        ],
        ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
      },
    ),
  day: (status: 403 | 429) =>
    new Refusal(
      status,
      status === 429 ? 'RESOURCE_EXHAUSTED' : 'PERMISSION_DENIED',
      "Quota exceeded for quota metric 'Queries' and limit 'Queries per day' of service 'tagmanager.googleapis.com' for consumer 'project_number:1234567890'.",
      {
        ...{ reason: status === 429 ? 'rateLimitExceeded' : 'dailyLimitExceeded' },
        domain: 'usageLimits',
        details: [info('RATE_LIMIT_EXCEEDED', { quota_limit: 'DefaultRequestsPerDayPerProject' })],
      },
    ),
  backend: (status: number) =>
    new Refusal(status, status === 503 ? 'UNAVAILABLE' : 'INTERNAL', 'Backend Error', {
      reason: 'backendError',
    }),
  fingerprint: ({ status, message }: Mismatch) =>
    new Refusal(status, status === 400 ? 'INVALID_ARGUMENT' : 'FAILED_PRECONDITION', message, {
      reason: status === 400 ? 'badRequest' : 'conditionNotMet',
    }),
};

/** How a wrong fingerprint is answered, which nobody has written down. */
export interface Mismatch {
  status: 400 | 409 | 412;
  message: string;
}
