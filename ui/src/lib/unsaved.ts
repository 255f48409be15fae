import { confirm } from './confirm.svelte.ts';
import { router } from './router.svelte.ts';

/** Said yes to for all forms of the page at once. */
let leaving = false;

/** Asks before a form is left that was changed; call it in an effect, it returns the way out. */
export function guardUnsaved(isDirty: () => boolean): () => void {
  return router.guard((to) => {
    if (leaving || !isDirty()) return true;
    // When the window itself closes, the browser asks.
    if (to) void ask(to);
    return false;
  });
}

async function ask(to: URL) {
  const yes = await confirm.ask({
    title: 'Leave without saving?',
    text: 'What you changed here is not saved yet and will be lost.',
    action: 'Leave',
  });
  if (!yes) return;
  leaving = true;
  router.go(to.href);
  leaving = false;
}
