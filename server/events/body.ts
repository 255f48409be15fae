import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { HttpError, problems } from '../platform/errors.ts';
import type { Shares, Who } from '../platform/shares.ts';
import type { Sealed } from './scan.ts';

export interface BodyLimits {
  /** Of one body. */
  maxBytes: number;
  /** Bytes of all bodies that are still coming in. */
  underWay: Shares;
  /** Whose share of that it takes. */
  holder: (request: FastifyRequest) => Who;
}

/** Reads bodies without parsing them, within a bound for each and a bound for all together. */
export function createBodyReader({ maxBytes, underWay, holder }: BodyLimits) {
  return (request: FastifyRequest, payload: Readable): Promise<Sealed> =>
    new Promise((resolve, reject) => {
      let refused: HttpError | undefined;
      if (Number(request.headers['content-length'] ?? 0) > DRAINED_BYTES) {
        reject(tooLarge(maxBytes));
        return;
      }
      const who = holder(request);
      let chunks: Buffer[] = [];
      let length = 0;
      let held = 0;
      const letGo = () => {
        underWay.giveBack(who, held);
        held = 0;
        chunks = [];
      };
      const finish = (settle: () => void) => {
        letGo();
        payload.removeAllListeners('data');
        settle();
      };
      payload.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > maxBytes) refused ??= tooLarge(maxBytes);
        else if (!refused && !underWay.take(who, chunk.length)) refused = problems.busy();
        if (!refused) {
          held += chunk.length;
          chunks.push(chunk);
          return;
        }
        letGo();
        const answer = refused;
        if (length > DRAINED_BYTES) finish(() => reject(answer));
      });
      payload.once('end', () => {
        const body = gather(chunks);
        finish(() => (refused ? reject(refused) : resolve(body)));
      });
      payload.once('error', (error) =>
        finish(() => reject(refused ?? (error instanceof HttpError ? error : problems.cutOff()))),
      );
    });
}

/** Many clients read no answer before they have sent all, so what is refused is read, up to here. */
const DRAINED_BYTES = 64 << 20;

function tooLarge(maxBytes: number) {
  return problems.tooLarge('The body', `${maxBytes / 1024 / 1024} MiB`);
}

function gather(chunks: readonly Buffer[]): Sealed {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const bytes = Buffer.allocUnsafe(length + 1);
  let at = 0;
  for (const chunk of chunks) at += chunk.copy(bytes, at);
  bytes[length] = 0;
  return { bytes, length };
}
