import { connection } from '$lib/connection.svelte.ts';
import { TEST_EVENT } from '$lib/suggestions.ts';

/** Sends an event as any sender does, by the key alone. Returns why it was refused, if it was. */
export async function sendTest(secret: string): Promise<string> {
  const data = {
    text: 'Sent from the dashboard to try the way',
    sent_at: new Date().toISOString(),
  };
  try {
    const answer = await fetch('/api/v1/events', {
      method: 'POST',
      // A session would be enough for more than a sender may do.
      credentials: 'omit',
      headers: { 'content-type': 'application/json', 'x-api-key': secret },
      body: JSON.stringify([{ ...TEST_EVENT, data }]),
    });
    if (answer.ok) return '';
    const { detail } = (await answer.json().catch(() => ({}))) as { detail?: string };
    return detail ?? `Vedette answered ${answer.status}.`;
  } catch {
    connection.lose();
    return 'Vedette cannot be reached.';
  }
}
