import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  createJsonSchemaTransform,
  createJsonSchemaTransformObject,
} from 'fastify-type-provider-zod';
import { boundsTable } from '../platform/bounds.ts';
import { MEANINGS } from './answers.ts';

const DESCRIPTION = `Vedette takes analytics events, checks them with rules and raises alerts.

Send the API key in the header \`X-API-Key\`; the pixel carries it in the query parameter \`k\`.
Every error is \`{"detail": "…"}\`, with \`errors\` where single fields are wrong.

An answer about events has the header \`X-Stale: true\` when newer events are accepted and safe, but
cannot be read yet because the database cannot be written, for example on a full disk.

## Bounds

${boundsTable()}`;

const CONFIG = { unrepresentable: 'any' } as const;

/** Nothing from outside, and no https where the LAN has none. */
const CSP = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/**
 * The API's document and the page about it. Both come from a second app with the same routes, which
 * is made when somebody first asks: most appliances are never asked, and it takes its memory.
 */
export function describeApi(app: FastifyInstance, makeTwin: () => Promise<FastifyInstance>): void {
  let twin: Promise<FastifyInstance> | undefined;
  const handOn = async (request: FastifyRequest, reply: FastifyReply) => {
    twin ??= makeTwin();
    const described = await twin.catch((error: unknown) => {
      twin = undefined;
      throw error;
    });
    reply.hijack();
    described.routing(request.raw, reply.raw);
  };
  for (const path of ['/api/v1/openapi.json', '/docs', '/docs/*']) {
    app.get(path, { schema: { hide: true } }, handOn);
  }
  app.addHook('onClose', async () => (await twin?.catch(() => undefined))?.close());
}

/** Must come before the routes, whose schemas it gathers. */
export async function serveDocument(app: FastifyInstance, version: string): Promise<void> {
  const { default: swagger } = await import('@fastify/swagger');
  const { default: swaggerUi } = await import('@fastify/swagger-ui');
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Vedette', version, description: DESCRIPTION, license: { name: 'MIT' } },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          session: {
            ...{ type: 'apiKey', in: 'cookie', name: 'vedette_session' },
            description:
              'With X-Vedette-Tenant, the id of the tenant that is meant, a request answers 412 when the session has been switched to another',
          },
        },
      },
    },
    transform: createJsonSchemaTransform({ zodToJsonConfig: CONFIG }),
    transformObject: createJsonSchemaTransformObject({ zodToJsonConfig: CONFIG }),
  });

  let document: string | undefined;
  app.get('/api/v1/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    document ??= JSON.stringify(finished(app.swagger()));
    return reply.type('application/json; charset=utf-8').send(document);
  });

  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', deepLinking: true, validatorUrl: null },
    theme: { title: 'Vedette API' },
    staticCSP: CSP,
    transformSpecification: finished,
    transformSpecificationClone: true,
  });
}

/** What the generator cannot know, or says too much of. */
function finished<T extends object>(document: T): T {
  markOptionalBodies(document);
  addCommonAnswers(document);
  return withoutUnused(document);
}

type Answers = Partial<Record<string, { description: string }>>;

interface Body {
  required?: boolean;
  content: Record<string, { schema?: Record<string, unknown> }>;
}

/** What the doors answer before a route is asked: to strangers, and to bodies. */
function addCommonAnswers(document: { paths?: Record<string, Record<string, unknown>> }): void {
  for (const operation of Object.values(document.paths ?? {}).flatMap(Object.values)) {
    const { requestBody, responses } = operation as { requestBody?: Body; responses: Answers };
    const known = responses['401'] ?? responses['400'];
    if (known === undefined) continue;
    const more = [...(responses['401'] ? [429] : []), ...(requestBody ? [413, 415] : [])];
    for (const status of more) {
      responses[status] ??= { ...known, description: MEANINGS[status] ?? '' };
    }
  }
}

/** The generator takes every body for required. */
function markOptionalBodies(document: { paths?: Record<string, Record<string, unknown>> }): void {
  for (const operation of Object.values(document.paths ?? {}).flatMap(Object.values)) {
    const { requestBody: body } = operation as { requestBody?: Body };
    for (const { schema } of Object.values(body?.content ?? {})) {
      if (body === undefined || schema?.['x-optional'] !== true) continue;
      body.required = false;
      delete schema['x-optional'];
    }
  }
}

/** The generator also describes what could be sent where it is only answered. */
function withoutUnused<T extends object>(document: T): T {
  const { components } = document as { components?: { schemas?: Record<string, unknown> } };
  const { schemas = {} } = components ?? {};
  for (;;) {
    const text = JSON.stringify(document);
    const unused = Object.keys(schemas).filter(
      (name) => !text.includes(`"#/components/schemas/${name}"`),
    );
    if (unused.length === 0) return document;
    for (const name of unused) Reflect.deleteProperty(schemas, name);
  }
}

/** Who may call a route, as the document says it. */
export const BY_KEY = [{ apiKey: [] }];
export const BY_KEY_OR_SESSION = [{ apiKey: [] }, { session: [] }];
export const BY_SESSION = [{ session: [] }];
