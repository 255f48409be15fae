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
  onGo: (listener) => void ipcRenderer.on('vedette:go', (_event, path: string) => listener(path)),
  restartToUpdate: () => ask<undefined>('restartToUpdate'),
};

contextBridge.exposeInMainWorld('vedette', bridge);
