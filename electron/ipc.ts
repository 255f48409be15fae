import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron';
import { z } from 'zod';
import { originOf } from './navigation.ts';
import { desktopPatch, folder } from './schema.ts';
import type { DesktopBridge } from './schema.ts';

/** All that goes from the page to us; `onGo` is the way back. */
export type Asked = Omit<DesktopBridge, 'onGo'>;

interface Parts {
  ipcMain: Pick<IpcMain, 'handle' | 'removeHandler'>;
  /** The one page that may ask. */
  asker: () => WebContents | undefined;
  origin: () => string | undefined;
  bridge: Asked;
}

/** What each call must look like; what comes from a page is unknown until it has been checked. */
const CALLS = {
  read: z.tuple([]),
  change: z.tuple([desktopPatch]),
  openFolder: z.tuple([folder]),
  signIn: z.tuple([]),
  checkForUpdates: z.tuple([]),
  restartToUpdate: z.tuple([]),
} satisfies Record<keyof Asked, z.ZodType<unknown[]>>;

/** Answers the dashboard in our window, and nobody else. */
export function answerDashboard({ ipcMain, asker, origin, bridge }: Parts): () => void {
  function mustBeOurs({ sender, senderFrame }: IpcMainInvokeEvent): void {
    const own = origin();
    const isOurs =
      own !== undefined &&
      sender === asker() &&
      senderFrame !== null &&
      senderFrame === sender.mainFrame &&
      originOf(senderFrame.url) === own;
    if (!isOurs) throw new Error('Only the dashboard may ask for this');
  }

  const names = Object.keys(CALLS) as (keyof Asked)[];
  for (const name of names) {
    ipcMain.handle(`vedette:${name}`, async (event, ...args: unknown[]) => {
      mustBeOurs(event);
      const judged = CALLS[name].safeParse(args);
      if (!judged.success) throw new Error(`${name} was asked for in a way that it does not have`);
      const call = bridge[name] as (...args: unknown[]) => Promise<unknown>;
      return call(...judged.data);
    });
  }
  return () => {
    for (const name of names) ipcMain.removeHandler(`vedette:${name}`);
  };
}
