import type { DesktopBridge } from '$electron/schema.ts';

declare global {
  interface Window {
    vedette?: DesktopBridge;
  }
}

/** The shell around the desktop window; in a browser there is none. */
export const desktop: DesktopBridge | undefined = window.vedette;
