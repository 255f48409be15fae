import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { answerPreflight, openToAllSites } from '../http/cors.ts';
import type { Caller, Identity } from '../http/identity.ts';
import type { Limiter } from '../http/limits.ts';
import { mayDo } from '../http/identity.ts';
import { BY_KEY } from '../http/openapi.ts';
import { errorAnswers } from '../http/answers.ts';
import type { Clock } from '../platform/clock.ts';
import { HttpError, problems } from '../platform/errors.ts';
import { originAllowed } from '../tenants/domains.ts';
import { createBodyReader } from './body.ts';
import type { Intake } from './intake.ts';
import { GIF, pixelText, readPixelQuery } from './pixel.ts';
import { eventBatch, ingested, MAX_BODY_BYTES } from './schema.ts';
import type { Sealed } from './scan.ts';

export interface IngestParts {
  intake: Intake;
  identity: Identity;
  clock: Clock;
  limits: { events: Limiter; collect: Limiter };
  rates: { events: () => number; collect: () => number };
}

/**
 * The two doors for events. They carry nearly all the load, so they stand outside of what the rest
 * of the API goes through: no cookies, no parsing, no validation but their own.
 */
export const ingestRoutes =
  ({ intake, identity, clock, limits, rates }: IngestParts): FastifyPluginAsyncZod =>
  async (app) => {
    const readBody = createBodyReader({
      maxBytes: MAX_BODY_BYTES,
      budgetBytes: 4 * MAX_BODY_BYTES,
    });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/json', readBody);
    app.addHook('onRequest', openToAllSites);
    app.options('/api/v1/events', { schema: { hide: true } }, answerPreflight);
    app.options('/api/v1/events/collect', { schema: { hide: true } }, answerPreflight);

    /** The caller behind a key, within its rate; anything else is an answer already. */
    function admit(
      request: FastifyRequest,
      secret: string | undefined,
      door: 'events' | 'collect',
    ): Caller {
      const now = clock.now();
      const caller = secret ? identity.byKey(secret, now) : undefined;
      if (caller?.keyId === undefined) {
        const missing = door === 'events' ? problems.noKey() : problems.noPixelKey();
        throw identity.refusal(request.ip, now, secret ? problems.badKey() : missing);
      }
      const wait = limits[door].take(caller.keyId, now);
      if (wait > 0) throw problems.tooMany(rates[door](), wait);
      return caller;
    }

    /** What a known key was refused is kept, so that its owner can see and mend it. */
    async function keeping<T>(
      caller: Caller,
      door: 'events' | 'collect',
      payload: () => Buffer,
      work: () => Promise<T>,
    ): Promise<T> {
      try {
        return await work();
      } catch (error) {
        if (error instanceof HttpError && [400, 403, 422].includes(error.status)) {
          await intake.refused(caller.tenantId, door, error, payload());
        }
        throw error;
      }
    }

    app.route({
      method: 'POST',
      url: '/api/v1/events',
      schema: {
        tags: ['Events'],
        summary: 'Send events',
        description: 'Taken as a whole or not at all; answered once they are safely on disk.',
        security: BY_KEY,
        body: eventBatch,
        response: { 201: ingested, ...errorAnswers(400, 401, 403, 413, 415, 422, 429, 503) },
      },
      validatorCompiler: asItIs,
      onRequest: async (request: FastifyRequest) => {
        const secret = request.headers['x-api-key'];
        request.caller = admit(request, typeof secret === 'string' ? secret : undefined, 'events');
        const encoding = request.headers['content-encoding'];
        if (encoding !== undefined && encoding !== 'identity') throw problems.encodingUnknown();
      },
      handler: (request: FastifyRequest, reply: FastifyReply) => {
        const { caller } = request;
        const text = (request.body as Sealed | undefined) ?? EMPTY;
        return keeping(
          caller,
          'events',
          () => text.bytes.subarray(0, text.length),
          async () => {
            mustIngest(caller);
            const { origin, referer } = request.headers;
            const allowed = originAllowed(caller.allowedDomains, origin, referer);
            if (allowed !== true) throw problems.domainNotAllowed(allowed);
            const count = await intake.batch(caller.tenantId, text);
            return reply.code(201).type(JSON_TYPE).send(`{"ingested":${count}}`);
          },
        );
      },
    });

    app.route({
      method: 'GET',
      url: '/api/v1/events/collect',
      exposeHeadRoute: false,
      schema: {
        tags: ['Events'],
        summary: 'Send events by pixel',
        description:
          'For `<img>` tags; taken from any site. Parameter d is the pixel payload as URL-encoded JSON, or base64 or base64url of it.',
        security: [],
        querystring: z.object({
          k: z.string().meta({ description: 'API key' }),
          d: z.string().meta({ description: 'The pixel payload' }),
        }),
        response: {
          200: {
            description: 'A transparent image',
            content: { 'image/gif': { schema: z.any() } },
          },
          ...errorAnswers(400, 401, 403, 413, 422, 429, 503),
        },
      },
      validatorCompiler: asItIs,
      handler: (request: FastifyRequest, reply: FastifyReply) => {
        const { k, d } = readPixelQuery(request.raw.url ?? '');
        const caller = admit(request, k, 'collect');
        return keeping(
          caller,
          'collect',
          () => Buffer.from(d ?? ''),
          async () => {
            mustIngest(caller);
            await intake.pixel(caller.tenantId, pixelText(d));
            return reply.headers(GIF_HEADERS).send(GIF);
          },
        );
      },
    });
  };

const JSON_TYPE = 'application/json; charset=utf-8';
const EMPTY: Sealed = { bytes: Buffer.alloc(1), length: 0 };
const GIF_HEADERS = {
  'content-type': 'image/gif',
  'cache-control': 'no-store',
  // A page that isolates itself may still load the pixel.
  'cross-origin-resource-policy': 'cross-origin',
};

const asItIs = () => (value: unknown) => ({ value });

function mustIngest(caller: Caller): void {
  if (!mayDo(caller.scope, 'ingest')) throw problems.insufficientScope('send events');
}
