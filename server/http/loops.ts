import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../platform/log.ts';
import { problems } from '../platform/errors.ts';
import { WEBHOOK_HEADER } from '../webhooks/send.ts';
import { sendRaw } from './errors.ts';

/**
 * What comes from a webhook, whichever Vedette's, is answered before anything is done about it: one
 * that leads back here, or to another that leads back here, would otherwise never end.
 */
export function answerWebhooks(
  { headers }: IncomingMessage,
  response: ServerResponse,
  log: Pick<Logger, 'error'>,
): boolean {
  if (headers[WEBHOOK_HEADER] === undefined) return false;
  sendRaw(response, problems.webhookLoop(), log, { [WEBHOOK_HEADER]: 'refused' });
  return true;
}
