import type { WebhookPatch } from '../../server/webhooks/schema.ts';
import type { signIn } from './tenant.ts';

/** Sets a webhook as the owner does, who may send to this machine as well; returns its secret. */
export async function setWebhook(
  { ask }: Pick<Awaited<ReturnType<typeof signIn>>, 'ask'>,
  webhook: WebhookPatch,
): Promise<string> {
  const answer = await ask('PATCH', '/tenants/me', {
    webhook: { ...webhook, allow_private: true },
  });
  return answer.json<{ webhook: { secret: string } }>().webhook.secret;
}
