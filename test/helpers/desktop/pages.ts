import type { Page } from 'playwright-core';
import type { DesktopBridge } from '../../../electron/schema.ts';
import { sharedDesktop } from './program.ts';
import type { RunningDesktop } from './program.ts';

declare global {
  interface Window {
    vedette?: DesktopBridge;
  }
}

/** The window of one who has seen the first start, at this place of the dashboard. */
export async function dashboardOf(desktop: RunningDesktop, place = '/'): Promise<Page> {
  const page = await desktop.window();
  await page.evaluate(() => localStorage.setItem('vedette.welcome', 'seen'));
  await page.goto(`${desktop.url}${place}`);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  return page;
}

/** The program that tests share, with its window on the screen at this place. */
export async function sharedWindow(place?: string) {
  const desktop = await sharedDesktop();
  const page = await dashboardOf(desktop, place);
  if ((await desktop.shown()).length === 0) await desktop.tray.choose('Open Vedette');
  await desktop.shownWindow();
  return { desktop, page };
}

/** Asks as the dashboard does: with the cookie of its window. */
export function askedBy<T>(page: Page, path: string): Promise<T> {
  return page.evaluate(async (path) => {
    const answer = await fetch(`/api/v1${path}`);
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return (await answer.json()) as T;
  }, path);
}

export const sessionsOf = (page: Page) => askedBy<{ id: string }[]>(page, '/sessions');

/** What the dashboard has of the shell, called in its window. */
export function bridge<Name extends keyof DesktopBridge>(
  page: Page,
  name: Name,
  ...args: Parameters<DesktopBridge[Name]>
): ReturnType<DesktopBridge[Name]> {
  return page.evaluate(
    ([name, args]) => {
      const call = window.vedette?.[name] as ((...args: unknown[]) => unknown) | undefined;
      if (!call) throw new Error(`There is no window.vedette.${name}`);
      return call(...args);
    },
    [name, args] as const,
  ) as ReturnType<DesktopBridge[Name]>;
}
