import { connection } from './connection.svelte.ts';

/** What the appliance answered when it could not do what was asked, in its own words. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly errors: readonly FieldFault[];
  /** Seconds to wait before it makes sense to try again, where the answer said so. */
  readonly wait: number;

  constructor(status: number, detail: string, errors: readonly FieldFault[] = [], wait = 0) {
    super(detail);
    this.status = status;
    this.errors = errors;
    this.wait = wait;
  }

  /** The fault of one field, by its path in the body that was sent. */
  at(path: string): string | undefined {
    return this.errors.find((fault) => fault.path === path)?.message;
  }
}

export interface FieldFault {
  path: string;
  message: string;
}

export interface Listed<T> {
  items: T[];
  /** Older ones were not looked at. */
  searchedUntil: string | undefined;
  /** Newer ones were accepted, but cannot be read yet. */
  isStale: boolean;
}

export type Query = Record<string, string | number | boolean | null | undefined>;

let signedOut: () => void = () => undefined;
let switched: () => void = () => undefined;
let tenant: string | undefined;

/** Called whenever an answer says that nobody is signed in (any more). */
export function onSignedOut(listener: () => void): void {
  signedOut = listener;
}

/** Called when an answer says that another window has switched the session to another tenant. */
export function onSwitched(listener: () => void): void {
  switched = listener;
}

/** Whom the window shows: what is asked and done is about this tenant, or is refused. */
export function speakFor(tenantId: string | undefined): void {
  tenant = tenantId;
}

export const api = {
  get: <T>(path: string, query?: Query, signal?: AbortSignal) =>
    ask<T>('GET', path + queryText(query), undefined, signal),
  /** The answer itself, for what JSON.parse does not read well enough. */
  async text(path: string, signal?: AbortSignal): Promise<string> {
    const response = await send('GET', path, undefined, signal);
    return response.ok ? response.text() : read(response, path);
  },
  /** A list, with what its headers say of it. */
  async list<T>(path: string, query?: Query, signal?: AbortSignal): Promise<Listed<T>> {
    const response = await send('GET', path + queryText(query), undefined, signal);
    const items = await read<T[]>(response, path);
    return {
      items,
      searchedUntil: response.headers.get('x-searched-until') ?? undefined,
      isStale: response.headers.has('x-stale'),
    };
  },
  post: <T>(path: string, body?: unknown, signal?: AbortSignal) =>
    ask<T>('POST', path, body, signal),
  patch: <T>(path: string, body: unknown) => ask<T>('PATCH', path, body),
  put: <T>(path: string, body: unknown) => ask<T>('PUT', path, body),
  delete: <T = undefined>(path: string) => ask<T>('DELETE', path),
};

export function queryText(query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') params.set(name, String(value));
  }
  const text = params.toString();
  return text && `?${text}`;
}

async function ask<T>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  return read<T>(await send(method, path, body, signal), path);
}

async function send(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(`/api/v1${path}`, {
      method,
      ...(signal && { signal }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        // The session itself is of no tenant.
        ...(tenant !== undefined && path !== '/session' && { 'x-vedette-tenant': tenant }),
      },
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    connection.lose();
    throw new ApiError(0, 'Vedette cannot be reached.');
  }
}

async function read<T>(response: Response, path: string): Promise<T> {
  if (response.status === 204) return undefined as T;
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer as T;
  if (response.status === 401 && path !== '/session') {
    signedOut();
    throw new ApiError(401, 'Your session has ended. Sign in to go on.');
  }
  if (response.status === 412) switched();
  const { detail, errors } = (answer ?? {}) as { detail?: string; errors?: FieldFault[] };
  const wait = Number(response.headers.get('retry-after')) || 0;
  throw new ApiError(
    response.status,
    detail ?? `Vedette answered ${response.status}.`,
    errors,
    wait,
  );
}

/** What went wrong, in words that a person can do something with. */
export function wordsOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'Something went wrong in this page.';
}
