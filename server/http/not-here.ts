import type { FastifyRequest } from 'fastify';
import { HttpError, NOT_LOCAL } from '../platform/errors.ts';
import type { Hook } from './identity.ts';
import { PAGE_HEADERS, plainPage } from './page.ts';

/**
 * A person who opens the dashboard where it does not answer gets a page to read rather than JSON.
 * The page holds nothing of the request, so it can be shown to anyone.
 */
export const forReaders =
  (guard: Hook): Hook =>
  async (request, reply) => {
    try {
      await guard(request, reply);
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 403 || !isReader(request)) throw error;
      await reply
        .code(403)
        .headers(PAGE_HEADERS)
        .header('vary', 'accept')
        .send(error.code === NOT_LOCAL ? elsewhere : otherName);
    }
  };

/** A browser names HTML among what it takes when an address is opened, and scripts do not. */
export const isReader = ({ headers }: FastifyRequest): boolean =>
  /\btext\/html\b/i.test(headers.accept ?? '');

const elsewhere = plainPage(
  'The dashboard is open on its own machine only',
  'Vedette is running here and takes events from other devices, but its dashboard answers only on the machine that it runs on.',
  'If it is yours: open the dashboard on that machine, set a password, and switch on “dashboard on the LAN” under Settings, Network. Then reload this page.',
);

const otherName = plainPage(
  'The dashboard does not answer to this name',
  'Vedette is running here, but was reached under a name that it does not know. It refuses such names because a page of another site could use one to read along.',
  'On the machine that it runs on, open it as localhost or 127.0.0.1. From other devices use its address in numbers, once “dashboard on the LAN” is switched on under Settings, Network. A name of its own is entered there as the public URL.',
);
