import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { HttpError, NOT_LOCAL } from '../platform/errors.ts';
import type { Hook } from './identity.ts';

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
        .headers({ 'content-security-policy': POLICY, 'cache-control': 'no-store' })
        .header('vary', 'accept')
        .type('text/html; charset=utf-8')
        .send(error.code === NOT_LOCAL ? elsewhere : otherName);
    }
  };

/** A browser names HTML among what it takes when an address is opened, and scripts do not. */
export const isReader = ({ headers }: FastifyRequest): boolean =>
  /\btext\/html\b/i.test(headers.accept ?? '');

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.375rem; line-height: 1.3; }
`;
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

const page = (title: string, ...lines: string[]) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Vedette</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${lines.map((line) => `<p>${line}</p>`).join('\n')}
</main>
</body>
</html>
`;

const elsewhere = page(
  'The dashboard is open on its own machine only',
  'Vedette is running here and takes events from other devices, but its dashboard answers only on the machine that it runs on.',
  'If it is yours: open the dashboard on that machine, set a password, and switch on “dashboard on the LAN” under Settings, Network. Then reload this page.',
);

const otherName = page(
  'The dashboard does not answer to this name',
  'Vedette is running here, but was reached under a name that it does not know. It refuses such names because a page of another site could use one to read along.',
  'On the machine that it runs on, open it as localhost or 127.0.0.1. From other devices use its address in numbers, once “dashboard on the LAN” is switched on under Settings, Network. A name of its own is entered there as the public URL.',
);
