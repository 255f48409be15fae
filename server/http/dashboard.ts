import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { problems } from '../platform/errors.ts';
import type { Hook, Identity } from './identity.ts';
import { forReaders, isReader } from './not-here.ts';

interface Parts {
  /** What Vite made of `ui/`. */
  dir: string;
  identity: Identity;
}

const NOT_BUILT =
  'The dashboard is not built yet: run "npm run build", then start Vedette again.\n';
/** Their names change with what is in them. */
const FOR_EVER = { maxAge: '1y', immutable: true } as const;

/**
 * The dashboard's files, and its page under every path that it may have; which of them exist is
 * known to the page itself.
 */
export const dashboardRoutes =
  ({ dir, identity }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    const page = path.join(dir, 'index.html');
    const hidden = { schema: { hide: true }, onRequest: forReaders(identity.dashboardOnly) };

    // Read anew each time: it is small, and names files that a new build takes away.
    const show = async (_request: FastifyRequest, reply: FastifyReply) => {
      reply.header('cache-control', 'no-cache');
      if (!existsSync(page)) return reply.code(503).type('text/plain').send(NOT_BUILT);
      return reply.type('text/html; charset=utf-8').send(await readFile(page, 'utf8'));
    };
    for (const place of PLACES) app.get(place, hidden, show);
    // Who types an address wrongly is told so by the page; programs get their JSON.
    const forPeople: Hook = async (request, reply) => {
      if (!isReader(request)) throw problems.notFound('This path');
      await hidden.onRequest(request, reply);
      reply.code(404);
    };
    app.get('/:place', { ...hidden, onRequest: forPeople, config: { catchAll: true } }, show);

    if (!existsSync(dir)) return;
    await app.register(async (files) => {
      files.addHook('onRequest', identity.dashboardOnly);
      await files.register(fastifyStatic, {
        root: path.join(dir, 'assets'),
        prefix: '/assets/',
        preCompressed: true,
        index: false,
        ...FOR_EVER,
      });
      for (const name of ['theme.js', 'icon.svg']) {
        files.get(`/${name}`, { schema: { hide: true } }, (_request, reply) =>
          reply.sendFile(name, dir, { maxAge: 0, immutable: false }),
        );
      }
    });
  };

/** The first steps of every path in ui/src/pages.ts. */
const PLACES = [
  '/',
  '/sign-in',
  '/welcome',
  ...['/events', '/rules', '/alerts', '/tag-manager', '/settings'].flatMap((place) => [
    place,
    `${place}/*`,
  ]),
];
