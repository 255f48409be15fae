import type { DesktopView } from '$electron/schema.ts';
import { wordsOf } from '$lib/api.ts';
import { changeDesktop, openFolder } from '$lib/desktop-deeds.ts';
import { inAnHour, isPaused, pauseWords } from '$lib/pausing.ts';
import { toasts } from '$lib/toasts.svelte.ts';

/** What can be done in the desktop window only, as the palette lists it. */
export function desktopEntries(view: DesktopView | undefined) {
  const isQuiet = view !== undefined && isPaused(view.paused_until, Date.now());
  return [
    { group: 'Do', name: 'Open the logs folder', run: () => openFolder('logs') },
    isQuiet
      ? { group: 'Do', name: 'Notify again: notifications are paused', run: () => setPause(null) }
      : {
          group: 'Do',
          name: 'Pause notifications for an hour',
          run: () => setPause(inAnHour(Date.now())),
        },
  ];
}

async function setPause(until: string | null): Promise<void> {
  try {
    const { paused_until: paused } = await changeDesktop({ paused_until: until });
    toasts.done(
      paused === null
        ? 'New alerts are shown as notifications again'
        : `Notifications are paused ${pauseWords(paused, Date.now())}`,
    );
  } catch (error) {
    toasts.failed(wordsOf(error));
  }
}
