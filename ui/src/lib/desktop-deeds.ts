import type { DesktopBridge, DesktopPatch, DesktopView, Folder } from '$electron/schema.ts';
import { ApiError, wordsOf } from './api.ts';
import { bridgeWords } from './bridge-words.ts';
import { desktop } from './desktop.ts';
import { queries } from './queries.ts';
import { toasts } from './toasts.svelte.ts';

const KEY = ['desktop'];
const isUnderWay = (view: DesktopView | undefined) =>
  view?.update.state === 'checking' || view?.update.state === 'loading';

/** What the shell keeps about itself, which may be changed from its tray as well. */
export const desktopView = () => ({
  queryKey: KEY,
  queryFn: () => askShell((shell) => shell.read()),
  refetchInterval: (query: { state: { data: DesktopView | undefined } }) =>
    isUnderWay(query.state.data) ? 1_000 : 15_000,
});

export const changeDesktop = (patch: DesktopPatch): Promise<DesktopView> =>
  take(askShell((shell) => shell.change(patch)));

export const checkForUpdates = (): Promise<DesktopView> =>
  take(askShell((shell) => shell.checkForUpdates()));

/** Opens it in the system's file manager. */
export async function openFolder(which: Folder): Promise<void> {
  try {
    await askShell((shell) => shell.openFolder(which));
  } catch (error) {
    toasts.failed(wordsOf(error));
  }
}

/** What goes wrong is thrown in words, as what the appliance answers is. */
export async function askShell<T>(deed: (shell: DesktopBridge) => Promise<T>): Promise<T> {
  if (!desktop) throw new ApiError(400, 'Only Vedette’s own window can do this.');
  try {
    return await deed(desktop);
  } catch (error) {
    throw new ApiError(400, bridgeWords(error));
  }
}

async function take(answer: Promise<DesktopView>): Promise<DesktopView> {
  const view = await answer;
  // A reading that began before the change would show what was.
  await queries.cancelQueries({ queryKey: KEY });
  queries.setQueryData(KEY, view);
  return view;
}
