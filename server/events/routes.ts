import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorAnswers } from '../http/answers.ts';
import type { Identity } from '../http/identity.ts';
import { BY_KEY_OR_SESSION } from '../http/openapi.ts';
import { paging } from '../http/schema.ts';
import type { Clock } from '../platform/clock.ts';
import { problems } from '../platform/errors.ts';
import type { Flusher } from './flush.ts';
import type { createRollups } from './rollups.ts';
import {
  activityPoint,
  activityQuery,
  countsQuery,
  event,
  eventCount,
  listQuery,
  nothing,
  rejectedItem,
  streamHeaders,
  streamQuery,
} from './schema.ts';
import type { EventStore } from './store.ts';
import { MAX_STREAMS } from './stream.ts';
import type { Streams } from './stream.ts';

export interface EventParts {
  store: EventStore;
  rollups: ReturnType<typeof createRollups>;
  flusher: Flusher;
  streams: Streams;
  identity: Identity;
  clock: Clock;
}

export const eventRoutes =
  ({ store, rollups, flusher, streams, identity, clock }: EventParts): FastifyPluginAsyncZod =>
  async (app) => {
    const about = (summary: string) => ({ tags: ['Events'], summary, security: BY_KEY_OR_SESSION });
    const errors = errorAnswers(400, 401, 403, 413, 429, 503);
    const onRequest = identity.requires({ scope: 'read', session: 'also' });
    // Reads see everything that was accepted before them.
    const preHandler = () => flusher.flush();

    app.get(
      '/api/v1/events',
      {
        schema: {
          ...about('List events, newest first'),
          querystring: listQuery,
          response: { 200: z.array(event), ...errors },
        },
        serializerCompiler: asText,
        onRequest,
        preHandler,
      },
      async ({ caller, query }, reply) =>
        reply.type(JSON_TYPE).send((await store.list(caller.tenantId, query)) as never),
    );

    app.get(
      '/api/v1/events/types',
      {
        schema: {
          ...about('List the distinct event types'),
          querystring: nothing,
          response: { 200: z.array(z.string()), ...errors },
        },
        onRequest,
        preHandler,
      },
      ({ caller }) => rollups.types(caller.tenantId),
    );

    app.get(
      '/api/v1/events/sources',
      {
        schema: {
          ...about('List the distinct sources'),
          querystring: nothing,
          response: { 200: z.array(z.string()), ...errors },
        },
        onRequest,
        preHandler,
      },
      ({ caller }) => rollups.sources(caller.tenantId),
    );

    app.get(
      '/api/v1/events/counts',
      {
        schema: {
          ...about('Count events by source and type, the busiest first'),
          querystring: countsQuery,
          response: { 200: z.array(eventCount), ...errors },
        },
        onRequest,
        preHandler,
      },
      ({ caller, query }) => rollups.counts(caller.tenantId, query.time_range, clock.now()),
    );

    app.get(
      '/api/v1/events/activity',
      {
        schema: {
          ...about('Count events over time, with a point for every bucket'),
          querystring: activityQuery,
          response: { 200: z.array(activityPoint), ...errors },
        },
        onRequest,
        preHandler,
      },
      ({ caller, query: { time_range: range, ...filter } }) =>
        rollups.activity(caller.tenantId, range, filter, clock.now()),
    );

    app.get(
      '/api/v1/events/rejected',
      {
        schema: {
          ...about('List what was refused and why, newest first'),
          querystring: paging,
          response: { 200: z.array(rejectedItem), ...errors },
        },
        serializerCompiler: asText,
        onRequest,
        preHandler,
      },
      async ({ caller, query }, reply) =>
        reply.type(JSON_TYPE).send((await store.refused(caller.tenantId, query)) as never),
    );

    app.get(
      '/api/v1/events/stream',
      {
        exposeHeadRoute: false,
        schema: {
          ...about('Watch events arrive'),
          description:
            'Server-sent events: `event` carries an event, `missed` the count of those that came too fast to be shown. Come back with Last-Event-ID to go on where you left.',
          querystring: streamQuery,
          headers: streamHeaders,
          response: {
            200: {
              description: 'A stream',
              content: { 'text/event-stream': { schema: z.string() } },
            },
            ...errorAnswers(400, 401, 403, 429, 503),
          },
        },
        onRequest,
      },
      async ({ caller, query, headers }, reply) => {
        if (streams.count() >= MAX_STREAMS) throw problems.tooManyStreams(MAX_STREAMS);
        const { last_event_id: fromQuery, ...filter } = query;
        const lastEventId = headers['last-event-id'] || fromQuery;
        reply.hijack();
        reply.raw.writeHead(200, { ...reply.getHeaders(), ...STREAM_HEADERS } as never);
        await streams.start(reply.raw, { tenantId: caller.tenantId, filter }, lastEventId, () =>
          identity.stillKnown(caller),
        );
      },
    );
  };

const JSON_TYPE = 'application/json; charset=utf-8';
const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** Records are text already, made by the store, with payloads as they were sent. */
const asText = () => (text: unknown) => text as string;
