import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorAnswers } from '../http/answers.ts';
import { answerPreflight, openToAllSites } from '../http/cors.ts';
import { unreadable } from '../http/errors.ts';
import type { Caller } from '../http/identity.ts';
import { BY_KEY } from '../http/openapi.ts';
import { JSON_TYPE } from '../http/text.ts';
import { BODIES_BYTES, MAX_BODY_BYTES } from '../platform/bounds.ts';
import { problems } from '../platform/errors.ts';
import { createShares } from '../platform/shares.ts';
import { originAllowed } from '../tenants/domains.ts';
import type { Admission } from './admission.ts';
import { createBodyReader } from './body.ts';
import { COLLECT_PATH } from './collect.ts';
import type { Collect } from './collect.ts';
import type { Intake } from './intake.ts';
import { eventBatch, ingested } from './schema.ts';
import type { Sealed } from './scan.ts';

export interface IngestParts {
  intake: Intake;
  admission: Admission;
  collect: Collect;
}

/**
 * The two doors for events. They carry nearly all the load, so they stand outside of what the rest
 * of the API goes through: no cookies, no parsing, no validation but their own.
 */
export const ingestRoutes =
  ({ intake, admission, collect }: IngestParts): FastifyPluginAsyncZod =>
  async (app) => {
    const readBody = createBodyReader({
      maxBytes: MAX_BODY_BYTES,
      underWay: createShares(BODIES_BYTES),
      // Nobody is known by a question of a browser, which may have a body too.
      holder: ({ caller, raw }: { caller?: Caller; raw: IncomingMessage }) => [
        caller?.keyId ?? '',
        admission.visitor(raw),
      ],
    });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/json', readBody);
    app.addHook('onRequest', openToAllSites);
    app.options('/api/v1/events', { schema: { hide: true } }, answerPreflight);
    app.options(COLLECT_PATH, { schema: { hide: true } }, answerPreflight);

    app.route({
      method: 'POST',
      url: '/api/v1/events',
      schema: {
        tags: ['Events'],
        summary: 'Send events',
        description: 'Taken as a whole or not at all; answered once they are safely on disk.',
        security: BY_KEY,
        body: eventBatch,
        response: { 201: ingested, ...errorAnswers(400, 401, 403, 408, 413, 415, 422, 429, 503) },
      },
      validatorCompiler: asItIs,
      onRequest: async (request: FastifyRequest) => {
        const secret = request.headers['x-api-key'];
        const given = typeof secret === 'string' ? secret : undefined;
        request.caller = admission.admit('events', given, request.raw);
        const problem = unreadable(request);
        if (problem) throw problem;
        // Before any of the body is read.
        try {
          admission.mustIngest(request.caller);
          const { origin, referer } = request.headers;
          const allowed = originAllowed(request.caller.allowedDomains, origin, referer);
          if (allowed !== true) throw problems.domainNotAllowed(allowed);
        } catch (error) {
          await admission.keepRefused('events', request.caller, error, () =>
            EMPTY.bytes.subarray(1),
          );
          throw error;
        }
      },
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const { caller } = request;
        const text = (request.body as Sealed | undefined) ?? EMPTY;
        try {
          const count = await intake.batch(caller.tenantId, text);
          return await reply.code(201).type(JSON_TYPE).send(`{"ingested":${count}}`);
        } catch (error) {
          const payload = () => text.bytes.subarray(0, text.length);
          await admission.keepRefused('events', caller, error, payload);
          throw error;
        }
      },
    });

    app.route({
      method: 'GET',
      url: COLLECT_PATH,
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
        reply.hijack();
        collect(request.raw, reply.raw);
      },
    });
  };

const EMPTY: Sealed = { bytes: Buffer.alloc(1), length: 0 };
const asItIs = () => (value: unknown) => ({ value });
