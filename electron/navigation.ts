import type { App, Session, WebContents } from 'electron';
import { atMost } from './at-most.ts';
import { isOwnPage } from './pages.ts';

interface Guarded {
  app: Pick<App, 'on'>;
  /** Where the dashboard is; nothing while it is not up. */
  origin: () => string | undefined;
  /** In the system's browser. */
  openOutside: (url: string) => void;
  /** To a page of the dashboard, which only this window is signed in to. */
  openInside: (path: string) => void;
  /** What a link on one of our own pages asks for: `vedette://do/retry` */
  act: (action: string) => void;
}

/** A page that opens one after the other would bury its owner in them. */
const OPENED = 30;
const WITHIN_MS = 5_000;

type Target = Pick<Electron.Event, 'preventDefault'> & { url: string };

/** Holds every page to where it belongs: the dashboard to its own origin, and nothing else in. */
export function guardNavigation({ app, origin, openOutside, openInside, act }: Guarded): void {
  const mayOpen = atMost(OPENED, WITHIN_MS);
  const outside = (url: string) => {
    if (isWeb(url) && mayOpen(performance.now())) openOutside(url);
  };

  function judge(contents: WebContents, target: Target): void {
    const asked = actionOf(target.url);
    if (asked !== undefined) {
      target.preventDefault();
      if (isOwnPage(contents.getURL())) act(asked);
      return;
    }
    const own = origin();
    if (own !== undefined && originOf(target.url) === own) return;
    target.preventDefault();
    outside(target.url);
  }

  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => judge(contents, event));
    contents.on('will-redirect', (event) => judge(contents, event));
    // Frames within a page: nothing of ours has any.
    contents.on('will-frame-navigate', (event) => {
      if (!event.isMainFrame) event.preventDefault();
    });
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      const isOwn = origin() !== undefined && originOf(url) === origin();
      const inside = isOwn ? pathIn(url) : undefined;
      if (inside === undefined) outside(url);
      else openInside(inside);
      return { action: 'deny' };
    });
  });
}

/** Pages may put a text into the clipboard, and no more. */
export function refusePermissions(session: Session, origin: () => string | undefined): void {
  const mayCopy = (permission: string, from: string) =>
    permission === 'clipboard-sanitized-write' &&
    origin() !== undefined &&
    originOf(from) === origin();
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(mayCopy(permission, requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    mayCopy(permission, requestingOrigin),
  );
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler(null);
}

/** Files of the dashboard go where the system's dialog is told to; no others are saved. */
export function guardDownloads(
  session: Pick<Session, 'on'>,
  origin: () => string | undefined,
): void {
  session.on('will-download', (event, item) => {
    const isOwn = origin() !== undefined && originOf(item.getURL()) === origin();
    // Without a title of ours, the dialog would have the address of a blob.
    if (isOwn) item.setSaveDialogOptions({ title: `Save ${item.getFilename()}` });
    else event.preventDefault();
  });
}

export function originOf(url: string): string | undefined {
  try {
    const { origin } = new URL(url);
    return origin === 'null' ? undefined : origin;
  } catch {
    return undefined;
  }
}

/** Of a page of the dashboard; what is not one of its pages stands as well in any browser. */
function pathIn(url: string): string | undefined {
  const { pathname, search } = new URL(url);
  return /^\/(docs|api|metrics|health)(\/|$)/.test(pathname) ? undefined : pathname + search;
}

function isWeb(url: string): boolean {
  return /^https?:\/\//i.test(url) && originOf(url) !== undefined;
}

function actionOf(url: string): string | undefined {
  return /^vedette:\/\/do\/([a-z-]+)\/?$/.exec(url)?.[1];
}
