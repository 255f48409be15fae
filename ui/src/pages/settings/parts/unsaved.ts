import { confirm } from '$lib/confirm.svelte.ts';
import { router } from '$lib/router.svelte.ts';

/** Asks before a form is left that was changed; call it in an effect, it returns the way out. */
export function guardUnsaved(isDirty: () => boolean): () => void {
  let mayGo = false;
  return router.guard((to) => {
    if (mayGo || !isDirty()) return true;
    // When the window itself closes, the browser asks.
    if (to) void ask(to);
    return false;
  });

  async function ask(to: URL) {
    mayGo = await confirm.ask({
      title: 'Leave without saving?',
      text: 'What you changed here is not saved yet and will be lost.',
      action: 'Leave',
    });
    if (mayGo) router.go(to.href);
  }
}
