import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyServerOptions } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { FastifyPluginAsyncZod, ZodTypeProvider } from 'fastify-type-provider-zod';
import {
  answerBrokenRequests,
  answerErrors,
  answerOddRequests,
  answerUnknownPaths,
  answerWrongPaths,
  sendRaw,
  unreadable,
} from './http/errors.ts';
import { securityHeaders } from './http/headers.ts';
import { guardConnections } from './http/connections.ts';
import type { ConnectionOptions } from './http/connections.ts';
import type { Identity } from './http/identity.ts';
import { answerWebhooks } from './http/loops.ts';
import { countAnswers, metricRoutes } from './http/metrics.ts';
import { hasManyHosts } from './http/proxies.ts';
import {
  HEADERS_MS,
  KEEP_ALIVE_MS,
  MAX_HEAD_BYTES,
  MAX_JSON_BYTES,
  REQUEST_MS,
} from './platform/bounds.ts';
import { problems } from './platform/errors.ts';
import type { Metric } from './platform/metric.ts';
import { describeApi, serveDocument } from './http/openapi.ts';
import { shareAnswers } from './http/shared.ts';
import type { AnswerTimes } from './http/shared.ts';
import { parseQuery, validatorCompiler } from './http/validation.ts';

export interface AppParts {
  version: string;
  log: FastifyBaseLogger;
  identity: Identity;
  /** The doors for events: open to all sites, without the rest's cookies and headers. */
  ingest: FastifyPluginAsyncZod;
  /** Answers some requests before anything else sees them; false for all others. */
  shortcut: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Requests that come before this wait for it: the door is found open or shut, never ajar. */
  opened: Promise<unknown>;
  /** Everything else. */
  routes: readonly FastifyPluginAsyncZod[];
  metrics: readonly Metric[];
  connections: ConnectionOptions;
  /** How long answers may take, where not as usual. */
  answerTimes?: AnswerTimes | undefined;
}

const SERVER_OPTIONS = {
  maxHeaderSize: MAX_HEAD_BYTES,
  requestTimeout: REQUEST_MS,
  headersTimeout: HEADERS_MS,
  connectionsCheckingInterval: HEADERS_MS / 2,
  // Longer than that of the usual proxies, so that it is they who hang up.
  keepAliveTimeout: KEEP_ALIVE_MS,
  // Who may ask what is judged further on, with an answer in words.
  requireHostHeader: false,
};

/** Given at once, so that those for JSON Schema, which are large, are not even loaded. */
const COMPILERS: Pick<FastifyServerOptions, 'schemaController'> = {
  schemaController: {
    compilersFactory: {
      buildValidator: () => validatorCompiler as never,
      buildSerializer: () => serializerCompiler as never,
    },
  },
};

/** Builds the whole HTTP side from its parts. Never listens. */
export async function buildApp(parts: AppParts) {
  const { version, log, identity, ingest, shortcut, opened, routes, metrics } = parts;
  let open = false;
  opened.then(
    () => (open = true),
    () => undefined,
  );
  const app = fastify({
    ...COMPILERS,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all: a child for each request costs more than it tells.
    childLoggerFactory: (logger) => logger,
    bodyLimit: MAX_JSON_BYTES,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    serverFactory: (handle) => {
      const answer: RequestListener = (request, response) => {
        if (hasManyHosts(request)) sendRaw(response, problems.manyHosts(), log, {});
        else if (!answerWebhooks(request, response, log) && !shortcut(request, response)) {
          handle(request, response);
        }
      };
      const server = createServer(SERVER_OPTIONS, (request, response) => {
        connections.began(request, response);
        if (open) answer(request, response);
        else
          opened.then(
            () => answer(request, response),
            () => request.destroy(),
          );
      });
      const connections = guardConnections(server, parts.connections);
      answerOddRequests(server, log);
      return server;
    },
    routerOptions: { ignoreTrailingSlash: true, querystringParser: parseQuery },
    clientErrorHandler: answerBrokenRequests,
    frameworkErrors: answerWrongPaths,
  }).withTypeProvider<ZodTypeProvider>();

  app.removeContentTypeParser(['text/plain', 'application/json']);
  const parseJson = app.getDefaultJsonParser('ignore', 'ignore');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const problem = unreadable(request);
    if (problem) done(problem);
    // Many clients name the type of a body that they do not send.
    else if (body === '') done(null, undefined);
    else void parseJson(request, body as string, done);
  });
  answerErrors(app);
  answerUnknownPaths(app);
  describeApi(app, async () => {
    const twin = fastify({ ...COMPILERS, loggerInstance: log }).withTypeProvider<ZodTypeProvider>();
    answerErrors(twin);
    answerUnknownPaths(twin);
    await serveDocument(twin, version);
    await twin.register(ingest);
    for (const plugin of routes) await twin.register(plugin);
    await twin.ready();
    return twin;
  });

  await app.register(ingest);
  await app.register(async (api) => {
    const answers = countAnswers(api);
    await api.register(helmet, securityHeaders);
    await api.register(cookie);
    shareAnswers(api, parts.answerTimes);
    for (const plugin of routes) await api.register(plugin);
    await api.register(metricRoutes([answers, ...metrics], identity));
  });
  await app.ready();
  return app;
}

export type App = Awaited<ReturnType<typeof buildApp>>;
