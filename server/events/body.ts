import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { problems } from '../platform/errors.ts';
import type { Sealed } from './scan.ts';

export interface BodyLimits {
  /** Of one body. */
  maxBytes: number;
  /** Of all bodies that are still coming in. */
  budgetBytes: number;
}

/** Reads bodies without parsing them, within a bound for each and a bound for all together. */
export function createBodyReader({ maxBytes, budgetBytes }: BodyLimits) {
  let held = 0;

  return (request: FastifyRequest, payload: Readable): Promise<Sealed> =>
    new Promise((resolve, reject) => {
      if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
        reject(tooLarge(maxBytes));
        return;
      }
      const chunks: Buffer[] = [];
      let length = 0;
      const finish = (settle: () => void) => {
        held -= length;
        payload.removeAllListeners('data');
        settle();
      };
      payload.on('data', (chunk: Buffer) => {
        length += chunk.length;
        held += chunk.length;
        if (length > maxBytes) finish(() => reject(tooLarge(maxBytes)));
        else if (held > budgetBytes) finish(() => reject(problems.busy()));
        else chunks.push(chunk);
      });
      payload.once('end', () => finish(() => resolve(gather(chunks, length))));
      payload.once('error', () => finish(() => reject(problems.cutOff())));
    });
}

function tooLarge(maxBytes: number) {
  return problems.tooLarge('The body', `${maxBytes / 1024 / 1024} MiB`);
}

function gather(chunks: readonly Buffer[], length: number): Sealed {
  const bytes = Buffer.allocUnsafe(length + 1);
  let at = 0;
  for (const chunk of chunks) at += chunk.copy(bytes, at);
  bytes[length] = 0;
  return { bytes, length };
}
