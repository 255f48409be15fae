import type { BrowserWindow, Rectangle } from 'electron';

export const DEFAULT_SIZE = { width: 1280, height: 840 };
export const SMALLEST_SIZE = { width: 900, height: 600 };

/** Without `x` and `y` the window belongs in the middle of the first screen. */
export interface WindowPlace {
  x?: number;
  y?: number;
  width: number;
  height: number;
  maximized: boolean;
}

export type KeptWindow = Pick<
  BrowserWindow,
  'on' | 'getNormalBounds' | 'isMaximized' | 'isDestroyed'
>;

export interface WindowState {
  bounds(workAreas: readonly Rectangle[]): WindowPlace;
  keep(window: KeptWindow): void;
  saved(): Promise<void>;
}

interface Log {
  warn(fields: object, message: string): void;
}

export async function openWindowState(file: string, log: Log): Promise<WindowState> {
  log.warn({ file }, 'Not built yet');
  return {
    bounds: () => ({ ...DEFAULT_SIZE, maximized: false }),
    keep: () => undefined,
    saved: async () => undefined,
  };
}
