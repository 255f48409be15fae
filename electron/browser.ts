import { spawn } from 'node:child_process';

/**
 * Shows an address in the system's browser, where there is one to show it.
 *
 * Other people on this computer can read the link in the list of processes until it is used. It is
 * for one use and for minutes, the browser uses it at once, and who comes after somebody else is
 * told so. A page in a private folder that leads on would keep it from them, but browsers in a snap,
 * the usual ones on Ubuntu, may read neither hidden folders nor /tmp, and elsewhere an editor may be
 * what opens pages that are files.
 */
export function openBrowser(url: string, env: NodeJS.ProcessEnv = process.env): void {
  const [command, ...args] = commandFor(url, process.platform, env);
  if (command === undefined) return;
  const opening = spawn(command, args, { stdio: 'ignore', detached: true });
  // There is none, then: the link is on the terminal as well.
  opening.once('error', () => undefined);
  opening.unref();
}

export function commandFor(
  url: string,
  platform: NodeJS.Platform,
  { DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv,
): string[] {
  if (platform === 'darwin') return ['open', url];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open', url] : [];
}
