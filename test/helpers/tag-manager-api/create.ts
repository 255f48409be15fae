import { setTimeout as pause } from 'node:timers/promises';
import { Refusal, refusals } from './answers.ts';
import type { Answer, Mismatch } from './answers.ts';
import { createDeeds } from './deeds.ts';
import { createObjects } from './objects.ts';
import type { Body } from './references.ts';
import { createRoutes, EDIT_SCOPE, READ_SCOPE } from './routes.ts';
import type { Caller } from './routes.ts';
import { createSwitches } from './switches.ts';
import type { Quota } from './switches.ts';
import { createVersions } from './versions.ts';
import { createWorld } from './world.ts';

export interface Options {
  /** Who is behind an access token; without it, any token is good for reading and editing. */
  tokens?: (token: string) => Caller | undefined | Promise<Caller | undefined>;
  pageSize?: number;
  quota?: Quota;
  /** Of the quota. */
  now?: () => number;
  /** For looking at it in a browser; tests hold requests instead. */
  latencyMs?: number;
  mismatch?: Mismatch;
}

export interface Recorded {
  method: string;
  path: string;
  query: Record<string, string>;
  body: Body | undefined;
  token: string;
}

/** A request as it comes in. */
export interface Question {
  method: string;
  /** With or without a host. */
  url: string;
  authorization: string | undefined;
  text: string;
}

/**
 * The tag manager's API (v2) on this machine, by the shapes of its discovery document.
 *
 * Seen in public reports of the real one: 400 `Found entity with duplicate name.`, 404 `Not found
 * or permission denied.`, 404 `Published container version not found`, 400 `Returned an error
 * response for your request.` for what it does not explain, `customEventFilter: Custom-event
 * trigger must have exactly one custom-event filter.`, that a PUT replaces all, that built-in
 * variables own their names, that ids of kinds are apart; a quota of 25 requests in a sliding
 * window of 100 seconds, in newer projects 15 a minute, answered with 429, by the documentation
 * with 403; 403 with `SERVICE_DISABLED` and `ACCESS_TOKEN_SCOPE_INSUFFICIENT` as all of Google's
 * APIs have them.
 *
 * Not confirmed by anything public: what a wrong fingerprint is answered with (so tests can choose
 * by `mismatch`), the words about an unknown reference, whether an object that others stand on can
 * be deleted (here it cannot), how many objects a page has, and that somebody who may only read is
 * answered 403.
 */
export function createTagManagerApi(options: Options = {}) {
  const { tokens = anybody, pageSize = 200, quota, now = Date.now, latencyMs = 0 } = options;
  const mismatch = options.mismatch ?? {
    status: 400,
    message: 'fingerprint: The fingerprint does not match the stored one.',
  };
  const world = createWorld();
  const objects = createObjects(world, mismatch);
  const versions = createVersions(world);
  const switches = createSwitches(quota, now);
  const route = createRoutes({ world, objects, versions, pageSize });
  const requests: Recorded[] = [];
  let waiting: (() => void)[] = [];

  async function respond({ method, url, authorization, text }: Question): Promise<Answer | 'drop'> {
    const { pathname: path, searchParams: query } = new URL(url, 'http://localhost');
    const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '';
    const body = parsed(text);
    requests.push({ method, path, query: Object.fromEntries(query), body, token });
    for (const wake of waiting.splice(0)) wake();
    if (latencyMs > 0) await pause(latencyMs);
    await switches.passGate();

    const trouble = switches.troubleFor(method);
    if (trouble?.when === 'before') return trouble.refusal?.answer ?? 'drop';
    const answer = await answered(async () => {
      switches.count();
      const caller = token === '' ? undefined : await tokens(token);
      if (!caller) throw refusals.unauthenticated();
      switches.checkEnabled();
      if (text !== '' && !body) throw refusals.malformed();
      return route({ method, path, query, caller, body: body ?? {} });
    });
    return trouble ? (trouble.refusal?.answer ?? 'drop') : answer;
  }

  return {
    ...createDeeds({ world, objects, versions }),
    ...switches.verbs,
    respond,
    /** In the place of the network: the same answers, without a server. */
    fetch: async (...[asked, init = {}]: Parameters<typeof fetch>): Promise<Response> => {
      const headers = new Headers(init.headers);
      const answer = await respond({
        ...{
          method: init.method ?? 'GET',
          url: asked instanceof Request ? asked.url : String(asked),
        },
        authorization: headers.get('authorization') ?? undefined,
        text: typeof init.body === 'string' ? init.body : '',
      });
      if (answer === 'drop') throw new TypeError('fetch failed');
      const { status, headers: told, body } = answer;
      return new Response(body ? JSON.stringify(body) : null, {
        status,
        ...(told && { headers: told }),
      });
    },
    /** Every request, as it came. */
    requests,
    /** Those of them that have to do with making a version or publishing one. */
    publishing: () =>
      requests.filter(({ method, path }) => {
        const isLive = method === 'GET' && path.endsWith('/versions:live');
        return /version|publish/i.test(path) && !isLive;
      }),
    /** Resolves when this many requests have come in all. */
    async arrived(count: number): Promise<void> {
      while (requests.length < count) await new Promise<void>((wake) => waiting.push(wake));
    },
    /** Whoever waits for requests is forgotten. */
    forget() {
      waiting = [];
    },
  };
}

function anybody(): Caller {
  return { user: 'someone@example.com', scopes: [READ_SCOPE, EDIT_SCOPE] };
}

async function answered(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    // Its own fault must not look like one of the network.
    const message = `The emulator failed: ${String((error as Error).stack)}`;
    return { status: 501, body: { error: { code: 501, message, status: 'UNIMPLEMENTED' } } };
  }
}

function parsed(text: string): Body | undefined {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return undefined;
  }
}
