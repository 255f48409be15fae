import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorAnswers } from '../http/answers.ts';
import type { Identity } from '../http/identity.ts';
import { BY_KEY_OR_SESSION } from '../http/openapi.ts';
import { asText } from '../http/text.ts';
import type { Clock } from '../platform/clock.ts';
import { templateQuery, templateView } from './schema.ts';
import type { Template } from './template.ts';

interface Parts {
  template: Template;
  identity: Identity;
  clock: Clock;
}

export const tagManagerRoutes =
  ({ template, identity, clock }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Tag manager'];
    const security = BY_KEY_OR_SESSION;
    // As for everything that shows or makes keys.
    const onRequest = identity.requires({ scope: 'full', dashboard: true });

    app.get('/api/v1/tag-manager/template', {
      schema: {
        tags,
        summary: 'Where the template sends, and the key for its tag',
        security,
        response: { 200: templateView, ...errorAnswers(401, 403) },
      },
      onRequest,
      handler: async ({ caller }) => template.view(caller.tenantId, clock.now()),
    });

    app.post('/api/v1/tag-manager/template', {
      schema: {
        tags,
        summary: 'Make a key for the tag, unless there is one',
        description: 'It has the scope `ingest`. Any other key of that scope works too.',
        security,
        response: { 200: templateView, ...errorAnswers(401, 403, 503) },
      },
      onRequest,
      handler: async ({ caller }) => {
        const now = clock.now();
        await template.ensureKey(caller.tenantId, now);
        return template.view(caller.tenantId, now);
      },
    });

    app.get('/api/v1/tag-manager/template.tpl', {
      schema: {
        tags,
        summary: 'The template to import into the tag manager',
        description: 'It contains no key: enter one in its tag.',
        security,
        querystring: templateQuery,
        response: {
          200: {
            description: 'The template, for one address',
            content: { 'text/plain': { schema: z.string() } },
          },
          ...errorAnswers(400, 401, 403),
        },
      },
      serializerCompiler: asText,
      onRequest,
      handler: async ({ query }, reply) =>
        reply
          .type('text/plain; charset=utf-8')
          .header('content-disposition', 'attachment; filename="vedette.tpl"')
          .header('cache-control', 'no-store')
          .send(template.file(query.url)),
    });
  };
