import { desktop } from '$lib/desktop.ts';

/**
 * Opens the consent screen beside this page. Browsers only allow that at once, in answer to the
 * click, so the tab comes before its address does. The desktop window has no tabs: it hands
 * addresses on to the system's browser. Says whether it could be opened.
 */
export async function openConsent(ask: () => Promise<string | undefined>): Promise<boolean> {
  const tab = desktop ? null : window.open('', '_blank');
  try {
    const url = await ask();
    if (!url) tab?.close();
    else if (desktop) window.open(url, '_blank');
    else if (tab) {
      tab.opener = null;
      tab.location.replace(url);
    }
    return desktop !== undefined || tab !== null;
  } catch (error) {
    tab?.close();
    throw error;
  }
}
