import { faults } from '../fault-words.ts';
import { TagManagerFault } from '../faults.ts';
import type { Call } from './api.ts';
import { exchange, NoAnswer } from './exchange.ts';
import type { Answer } from './exchange.ts';
import { judge } from './judge.ts';
import type { Judgement } from './judge.ts';
import type { Pacer } from './pacer.ts';
import { checkPath } from './paths.ts';
import type { Method } from './paths.ts';
import { pauseFor, QUOTA_PAUSES, READ_PAUSES } from './pauses.ts';

export interface AskOptions {
  /** Where the API is: `https://tagmanager.googleapis.com`. */
  endpoint: string;
  /** `refresh`: the one given before was not taken. */
  accessToken: (options?: { refresh: boolean }) => Promise<string>;
  /** Whose quota it is. */
  project: string;
  pacer: Pick<Pacer, 'take' | 'hold' | 'pause'>;
  fetch?: typeof fetch;
  log?: { info(fields: object, message: string): void };
  timeoutMs?: number;
  mostBytes?: number;
  /** From 0 up to 1, so that those who failed together do not come back together. */
  random?: () => number;
}

export interface Request {
  method: Method;
  path: string;
  query?: Record<string, string>;
  body?: unknown;
}

export type Ask = (request: Request, call: Call | undefined) => Promise<unknown>;

const TIMEOUT_MS = 30_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** What went wrong so far with one request. */
interface Tries {
  /** The next attempt wants another token than the last one had. */
  refresh: boolean;
  refreshed: boolean;
  tooFast: number;
  broken: number;
}

/** Asks at the pace of the quota, and again where that can help and can do no harm. */
export function createAsk(options: AskOptions): Ask {
  const { endpoint, accessToken, project, pacer, log, random = Math.random } = options;
  const { fetch: ownFetch = fetch, timeoutMs = TIMEOUT_MS, mostBytes = MOST_BYTES } = options;
  const root = `${endpoint.replace(/\/+$/, '')}/tagmanager/v2/`;

  async function ask(request: Request, call: Call = {}): Promise<unknown> {
    checkPath(request.method, request.path);
    const tries: Tries = { refresh: false, refreshed: false, tooFast: 0, broken: 0 };
    for (;;) {
      const answer = await once(request, call, tries.refresh);
      tries.refresh = false;
      const verdict = answer instanceof NoAnswer ? brokenBy(answer) : judgeOf(request, answer);
      if (verdict.is === 'good') return (answer as Answer).json;
      await beforeNextTry(request, verdict, answer, tries, call);
    }
  }

  /** One attempt. The access token is asked for last, since it may end while others are served. */
  async function once(request: Request, call: Call, refresh: boolean): Promise<Answer | NoAnswer> {
    const { method, path, query = {}, body } = request;
    await pacer.take(project, call.signal);
    const token = await unlessStopped(accessToken({ refresh }), call.signal);
    if (call.signal?.aborted) throw faults.stopped();
    call.asking?.();
    const search = new URLSearchParams(query).toString();
    const url = root + path + (search && `?${search}`);
    // A write that has begun is waited for: what is stopped was not carried out.
    const signal = method === 'GET' ? call.signal : call.cut;
    try {
      return await exchange(
        { method, url, token, body },
        { fetch: ownFetch, timeoutMs, mostBytes, signal },
      );
    } catch (error) {
      if (signal?.aborted && method !== 'GET') return new NoAnswer('it was cut off');
      if (signal?.aborted) throw faults.stopped();
      if (error instanceof NoAnswer) return error;
      throw error;
    }
  }

  /** Comes back if it is worth another try, and fails for good if it is not. */
  async function beforeNextTry(
    { method }: Request,
    verdict: Exclude<Judgement, { is: 'good' }>,
    answer: Answer | NoAnswer,
    tries: Tries,
    { signal }: Call,
  ): Promise<void> {
    switch (verdict.is) {
      case 'refused':
        throw verdict.fault;
      case 'unknown token':
        if (tries.refreshed) throw faults.grantEnded();
        tries.refreshed = tries.refresh = true;
        return;
      case 'too fast':
        holdAll(tries.tooFast++, answer instanceof NoAnswer ? 0 : answer.retryAfterMs);
        return;
      case 'broken': {
        const pause = method === 'GET' ? READ_PAUSES[tries.broken++] : undefined;
        if (pause === undefined) throw faults.unreachable(verdict.detail, 60);
        log?.info({ why: verdict.detail }, 'The tag manager is asked again');
        await pacer.pause(pauseFor(pause, random()), signal);
      }
    }
  }

  /** The quota is everybody's of the project, so all of them pause. */
  function holdAll(before: number, askedMs: number): void {
    const pause = QUOTA_PAUSES[before];
    const most = QUOTA_PAUSES.at(-1) ?? 0;
    if (pause === undefined || askedMs > 3 * most) {
      const seconds = Math.ceil(Math.max(askedMs, most) / 1000);
      throw faults.quota('', seconds);
    }
    const ms = Math.max(askedMs, pauseFor(pause, random()));
    log?.info({ pauseMs: ms }, 'The tag manager asks to slow down');
    pacer.hold(project, ms);
  }

  return ask;
}

function judgeOf({ query }: Request, answer: Answer): Judgement {
  return judge(answer, { guarded: query?.['fingerprint'] !== undefined });
}

function brokenBy({ message }: NoAnswer): Judgement {
  return { is: 'broken', detail: message };
}

/** Nothing was sent yet, so nobody has to wait for it. */
async function unlessStopped<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const leave = () => reject(faults.stopped());
    signal.addEventListener('abort', leave, { once: true });
    const done = () => signal.removeEventListener('abort', leave);
    work.then(resolve, reject).finally(done);
  });
}

export function isFault(error: unknown, code: TagManagerFault['code']): error is TagManagerFault {
  return error instanceof TagManagerFault && error.code === code;
}
