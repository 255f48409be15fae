import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { isLocal } from '../../http/local.ts';
import { PAGE_HEADERS, plainPage } from '../../http/page.ts';
import { callbackWords, NOT_FROM_HERE } from './callback-words.ts';
import type { CallbackWords } from './callback-words.ts';
import type { Connection } from './connection.ts';

/**
 * Where the consent screen leads back to, in whichever browser it was open: that one may be signed
 * in to nothing here. Whose answer it is, its state tells.
 */
export const callbackRoutes =
  ({ connection }: { connection: Pick<Connection, 'takeAnswer'> }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get('/oauth/callback', {
      schema: { hide: true },
      // Looking at its headers must not use up the answer.
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        if (!isLocal(request)) return show(reply, NOT_FROM_HERE);
        return show(reply, callbackWords(await connection.takeAnswer(request.url)));
      },
    });
  };

function show(reply: FastifyReply, { isConnected, title, lines }: CallbackWords): FastifyReply {
  return reply
    .code(isConnected ? 200 : 400)
    .headers(PAGE_HEADERS)
    .send(plainPage(title, ...lines));
}
