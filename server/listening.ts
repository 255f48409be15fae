import type { App } from './app.ts';
import { startProblems } from './platform/start-errors.ts';

/** Less than its stage of closing has. */
const ANSWER_WITHIN_MS = 1_500;

/** In words, where the reason is known. */
export function listenProblem(
  error: unknown,
  { host, port }: { host: string; port: number },
): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return startProblems.portTaken(host, port);
    case 'EACCES':
      return startProblems.portForbidden(port);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return startProblems.hostUnknown(host);
    default:
      return error;
  }
}

/** Ends what is under way, but waits neither for keep-alive nor for a sender that has gone quiet. */
export async function stopAnswering(app: App): Promise<void> {
  // Fastify ends what is idle when it begins to close, not what becomes idle after that.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50);
  const cut = setTimeout(() => app.server.closeAllConnections(), ANSWER_WITHIN_MS);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
  }
}

/** Where this machine reaches it: an address that means all of them is none to go to. */
export function hostFor(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
