import { contextBridge, ipcRenderer } from 'electron';
import type { DesktopBridge, DesktopPatch, DesktopView, Folder } from './schema.ts';

const ask = <Answer>(name: keyof DesktopBridge, ...args: unknown[]): Promise<Answer> =>
  ipcRenderer.invoke(`vedette:${name}`, ...args) as Promise<Answer>;

const bridge: DesktopBridge = {
  read: () => ask<DesktopView>('read'),
  change: (patch: DesktopPatch) => ask<DesktopView>('change', patch),
  openFolder: (which: Folder) => ask<undefined>('openFolder', which),
  signIn: () => ask<undefined>('signIn'),
  checkForUpdates: () => ask<DesktopView>('checkForUpdates'),
  restartToUpdate: () => ask<undefined>('restartToUpdate'),
};

// Our own pages of the start need nothing of it.
if (location.protocol !== 'vedette:') contextBridge.exposeInMainWorld('vedette', bridge);
