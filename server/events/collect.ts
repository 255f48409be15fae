import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendRaw } from '../http/errors.ts';
import type { Logger } from '../platform/log.ts';
import type { Caller } from '../http/identity.ts';
import type { Admission } from './admission.ts';
import type { Intake } from './intake.ts';
import { GIF, pixelText, readPixelQuery } from './pixel.ts';

export const COLLECT_PATH = '/api/v1/events/collect';

export type Collect = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The pixel's door. It works on the bare request, so that the server can hand pixels straight to
 * it: they come one event at a time, and all that a framework does for a request costs more than
 * taking one in.
 */
export function createCollect(parts: {
  intake: Intake;
  admission: Admission;
  log: Logger;
}): Collect {
  const { intake, admission, log } = parts;

  async function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller | undefined,
    error: unknown,
  ): Promise<void> {
    await admission.keepRefused('collect', caller, error, () =>
      Buffer.from(readPixelQuery(request.url ?? '').d ?? ''),
    );
    sendRaw(response, error, log, { 'access-control-allow-origin': '*' });
  }

  return (request, response) => {
    let caller: Caller | undefined;
    try {
      const { k, d } = readPixelQuery(request.url ?? '');
      caller = admission.admit('collect', k, request);
      admission.mustIngest(caller);
      intake.pixel(caller.tenantId, pixelText(d)).then(
        () => {
          response.writeHead(200, HEADERS);
          response.end(GIF, 'latin1');
        },
        (error: unknown) => void refuse(request, response, caller, error),
      );
    } catch (error) {
      void refuse(request, response, caller, error);
    }
  };
}

/** Does this request go straight to the pixel's door? */
export function isPixel({ method, url = '' }: IncomingMessage): boolean {
  if (method !== 'GET' || !url.startsWith(COLLECT_PATH)) return false;
  return url[COLLECT_PATH.length] === '?' || url.startsWith('/?', COLLECT_PATH.length);
}

const HEADERS = [
  'content-type',
  'image/gif',
  'content-length',
  String(GIF.length),
  'cache-control',
  'no-store',
  'access-control-allow-origin',
  '*',
  // A page that isolates itself may still load the pixel.
  'cross-origin-resource-policy',
  'cross-origin',
];
