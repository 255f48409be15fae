import { mkdirSync } from 'node:fs';
import path from 'node:path';
import pino from 'pino';
import type { Logger } from 'pino';
import pretty from 'pino-pretty';
import { createStream } from 'rotating-file-stream';

export type { Logger } from 'pino';

/** JSON lines into `logs/`, five files of 10 MB at most; warnings and worse on the terminal too. */
export function openLog(
  dataDir: string,
  level: string,
): { log: Logger; close: () => Promise<void> } {
  const dir = path.join(dataDir, 'logs');
  mkdirSync(dir, { recursive: true });
  const file = createStream('vedette.log', { path: dir, size: '10M', maxFiles: 5 });
  // A log that cannot be written must not stop what it reports on.
  file.on('error', () => undefined);
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
  return {
    log,
    close: () =>
      new Promise((done) => {
        file.once('finish', done);
        file.once('error', () => done());
        file.end();
      }),
  };
}

export const silentLog: Logger = pino({ level: 'silent' });
