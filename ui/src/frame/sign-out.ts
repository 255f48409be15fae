import { wordsOf } from '$lib/api.ts';
import { session } from '$lib/session.svelte.ts';
import { toasts } from '$lib/toasts.svelte.ts';

export async function signOut(): Promise<void> {
  try {
    await session.signOut();
  } catch (error) {
    toasts.failed(wordsOf(error));
  }
}
