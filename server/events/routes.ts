import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorAnswers } from '../http/answers.ts';
import type { Identity } from '../http/identity.ts';
import { BY_KEY_OR_SESSION } from '../http/openapi.ts';
import { inPieces } from '../http/pieces.ts';
import { cursorPaging } from '../http/schema.ts';
import { whoIs } from '../http/shared.ts';
import { asText, JSON_TYPE } from '../http/text.ts';
import { endIfNobodyWaits } from '../platform/asker.ts';
import type { Clock } from '../platform/clock.ts';
import { problems } from '../platform/errors.ts';
import type { ActivityStore } from './activity-store.ts';
import { fieldsOf } from './fields.ts';
import type { ListStore } from './list-store.ts';
import type { Page } from './pages.ts';
import type { RemovalStore, Watched } from './removal-store.ts';
import type { createRollups } from './rollups.ts';
import type { SampleStore } from './sample-store.ts';
import {
  activityPoint,
  activityQuery,
  byEvent,
  countsQuery,
  event,
  eventCount,
  eventFields,
  fieldsQuery,
  filter,
  listQuery,
  namesQuery,
  namesRemoval,
  namesRemoved,
  nothing,
  rejectedItem,
  streamHeaders,
  streamQuery,
  usual,
} from './schema.ts';
import type { SearchStore } from './search-store.ts';
import type { Streams } from './stream.ts';
import type { AskUsual } from './usual.ts';

export interface EventParts {
  lists: ListStore;
  searches: SearchStore;
  samples: SampleStore;
  askUsual: AskUsual;
  rollups: ReturnType<typeof createRollups>;
  activities: ActivityStore;
  removals: RemovalStore;
  /** What rules are about. */
  watched: (tenantId: string) => Watched[];
  flusher: { flush: (tenantId: string) => Promise<void> };
  streams: Streams;
  identity: Identity;
  clock: Clock;
}

export const eventRoutes =
  (parts: EventParts): FastifyPluginAsyncZod =>
  async (app) => {
    const { lists, searches, samples, askUsual, rollups, flusher, streams } = parts;
    const { activities, removals, watched, identity, clock } = parts;
    const about = (summary: string) => ({ tags: ['Events'], summary, security: BY_KEY_OR_SESSION });
    const errors = errorAnswers(400, 401, 403, 413, 429, 503);
    const onRequest = identity.requires({ scope: 'read', session: 'also' });
    // Sees everything that was accepted before it, as what draws conclusions must.
    const upToDate = ({ caller }: FastifyRequest) => flusher.flush(caller.tenantId);
    // What only shows events shows those that are stored where newer ones cannot be, and says so.
    const preHandler = (request: FastifyRequest, reply: FastifyReply) =>
      upToDate(request).catch(() => {
        endIfNobodyWaits();
        reply.header(STALE, 'true');
      });

    app.get(
      '/api/v1/events',
      {
        schema: {
          ...about('List events, newest first'),
          description:
            'A search by `text` or `missing` takes at most two seconds. If it stops before the end, the header `X-Searched-Until` says how far back it got. A full page has the header `X-Next-Cursor`: send it as `cursor` to get the next page.',
          querystring: listQuery,
          response: { 200: z.array(event), ...errors },
        },
        serializerCompiler: asText,
        onRequest,
        preHandler,
      },
      async ({ caller, query }, reply) => {
        if (query.text === undefined && query.missing === undefined) {
          return sendPage(reply, await lists.list(caller.tenantId, query));
        }
        const { page, searchedUntil } = await searches.search(caller.tenantId, query);
        if (searchedUntil !== undefined) {
          reply.header('x-searched-until', new Date(searchedUntil).toISOString());
        }
        return sendPage(reply, page);
      },
    );

    app.get(
      '/api/v1/events/:event_id',
      {
        // It would answer HEAD for its neighbours that do not.
        exposeHeadRoute: false,
        schema: {
          ...about('Get an event'),
          params: byEvent,
          querystring: nothing,
          response: { 200: event, ...errorAnswers(400, 401, 403, 404, 429, 503) },
        },
        serializerCompiler: asText,
        onRequest,
        preHandler,
      },
      async ({ caller, params }, reply) => {
        const found = await lists.one(caller.tenantId, params.event_id);
        if (found === undefined) {
          throw reply.hasHeader(STALE) ? problems.cannotRead() : problems.notFound('This event');
        }
        return reply.type(JSON_TYPE).send(found as never);
      },
    );

    app.get(
      '/api/v1/events/fields',
      {
        schema: {
          ...about('List the fields that events of a type have, the commonest first'),
          description:
            'Of the newest 1,000 events, fewer where they are large. Those over 1 MiB are not looked at.',
          querystring: fieldsQuery,
          response: { 200: eventFields, ...errors },
        },
        onRequest,
        preHandler,
      },
      async ({ caller, query: { event_type, source } }) => {
        const sample = await samples.newest(caller.tenantId, event_type, source);
        return { event_type, ...sample.about, fields: await fieldsOf(sample.texts) };
      },
    );

    app.get(
      '/api/v1/events/usual',
      {
        schema: {
          ...about('Hold the last 24 hours against what is usual'),
          querystring: filter,
          response: { 200: usual, ...errors },
        },
        onRequest,
        preHandler: upToDate,
      },
      ({ caller, query }) => askUsual(caller.tenantId, query, clock.now()),
    );

    app.get(
      '/api/v1/events/types',
      {
        schema: {
          ...about('List the distinct event types'),
          description: COUNTED_BY_NAME,
          querystring: namesQuery,
          response: { 200: z.array(z.string()), ...errors },
        },
        onRequest,
        preHandler,
      },
      ({ caller, query }) => rollups.types(caller.tenantId, query),
    );

    app.get(
      '/api/v1/events/sources',
      {
        schema: {
          ...about('List the distinct sources'),
          description: COUNTED_BY_NAME,
          querystring: namesQuery,
          response: { 200: z.array(z.string()), ...errors },
        },
        onRequest,
        preHandler,
      },
      ({ caller, query }) => rollups.sources(caller.tenantId, query),
    );

    app.get(
      '/api/v1/events/counts',
      {
        schema: {
          ...about('Count events by source and type, the busiest first'),
          description: `${COUNTED_BY_NAME} All others are counted together here, with a source of null, or a source and type of null.`,
          querystring: countsQuery,
          response: { 200: z.array(eventCount), ...errors },
        },
        onRequest,
        preHandler,
      },
      ({ caller, query: { time_range: range, ...page } }) =>
        rollups.counts(caller.tenantId, range, clock.now(), page),
    );

    app.post(
      '/api/v1/events/names/remove',
      {
        schema: {
          ...about('Remove made-up names'),
          description:
            'A name is a pair of type and source. Its events are then counted together with all others, and its place is free. No event is deleted. Names that a rule watches stay: the source that it gives, or else the first source of its type.',
          body: namesRemoval,
          response: { 200: namesRemoved, ...errorAnswers(400, 401, 403, 413, 422, 429, 503) },
        },
        onRequest: identity.requires({ scope: 'full' }),
        preHandler: upToDate,
      },
      ({ caller: { tenantId }, body }) => removals.remove(tenantId, body, watched(tenantId)),
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
      ({ caller, query }) => activities.activity(caller.tenantId, query, clock.now()),
    );

    app.get(
      '/api/v1/events/rejected',
      {
        schema: {
          ...about('List what was refused and why, newest first'),
          querystring: cursorPaging,
          response: { 200: z.array(rejectedItem), ...errors },
        },
        serializerCompiler: asText,
        onRequest,
        preHandler,
      },
      async ({ caller, query }, reply) =>
        sendPage(reply, await lists.refused(caller.tenantId, query)),
    );

    app.get(
      '/api/v1/events/stream',
      {
        exposeHeadRoute: false,
        config: { lasts: true },
        schema: {
          ...about('Watch events arrive'),
          description:
            'Server-sent events: `event` carries an event, `missed` how many of a source and type were left out, because they came too fast or are too large. Reconnect with Last-Event-ID to go on where you left off.',
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
        const who = whoIs(caller);
        streams.admit(who);
        const { last_event_id: fromQuery, ...filter } = query;
        const lastEventId = headers['last-event-id'] || fromQuery;
        reply.hijack();
        reply.raw.writeHead(200, { ...reply.getHeaders(), ...STREAM_HEADERS } as never);
        const { tenantId } = caller;
        await streams.start(reply.raw, { who, tenantId, filter }, lastEventId, () =>
          identity.stillKnown(caller),
        );
      },
    );
  };

function sendPage(reply: FastifyReply, { body, next }: Page): never {
  if (next !== undefined) reply.header('x-next-cursor', next);
  const answer = typeof body === 'string' ? body : inPieces(body.pieces, body.largest);
  return reply.type(JSON_TYPE).send(answer) as never;
}

const STALE = 'x-stale';

const COUNTED_BY_NAME =
  'Pairs of type and source that are counted by name: the first to arrive, up to the `max_names` of the tenant.';

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};
