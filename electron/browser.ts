import { spawn } from 'node:child_process';

/** Shows an address in the system's browser, where there is one to show it. */
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
