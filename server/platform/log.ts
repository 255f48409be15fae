import path from 'node:path';
import pino from 'pino';
import type { Logger } from 'pino';
import pretty from 'pino-pretty';
import { createStream } from 'rotating-file-stream';
import type { RotatingFileStream } from 'rotating-file-stream';
import { isDoneWithin } from './patience.ts';

export type { Logger } from 'pino';

/** How long the file is left alone after it could not be written. */
const RETRY_MS = 1_000;
const CLOSE_WITHIN_MS = 250;

/** JSON lines into `logs/`, five files of 10 MB at most; warnings and worse on the terminal too. */
export function openLog(
  dataDir: string,
  level: string,
  { retryMs = RETRY_MS } = {},
): { log: Logger; close: () => Promise<void> } {
  const file = lastingFile(path.join(dataDir, 'logs'), retryMs);
  const terminal = pretty({
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss',
    sync: true,
    destination: 2,
  });
  const log = pino(
    { level, redact: ['req.headers', '*.secret', '*.password', '*.token'] },
    pino.multistream([
      { level: 'debug', stream: file },
      { level: 'warn', stream: terminal },
    ]),
  );
  return { log, close: () => file.close() };
}

/**
 * A log that cannot be written must not stop what it reports on. The stream ends itself at the first
 * error, such as a full disk: what is written then is lost, and a while later another takes over.
 */
function lastingFile(dir: string, retryMs: number) {
  let stream: RotatingFileStream | undefined;
  let failedAt = -Infinity;

  function open(): RotatingFileStream {
    const opened = createStream('vedette.log', { path: dir, size: '10M', maxFiles: 5 });
    opened.on('error', () => {
      failedAt = performance.now();
      stream = undefined;
    });
    // The last line may have been cut off.
    if (failedAt > -Infinity) opened.write('\n');
    return opened;
  }

  return {
    write(line: string): void {
      if (stream === undefined && performance.now() - failedAt < retryMs) return;
      stream ??= open();
      stream.write(line);
    },

    async close(): Promise<void> {
      const last = stream;
      if (last === undefined) return;
      const closed = Promise.withResolvers<undefined>();
      const done = () => closed.resolve(undefined);
      last.once('finish', done).once('error', done);
      last.end();
      await isDoneWithin(closed.promise, CLOSE_WITHIN_MS);
    },
  };
}

export const silentLog: Logger = pino({ level: 'silent' });
