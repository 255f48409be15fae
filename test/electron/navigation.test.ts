import { expect, test, vi } from 'vitest';
import { guardDownloads, guardNavigation } from '../../electron/navigation.ts';

const ORIGIN = 'http://127.0.0.1:8737';
type Opened = (details: { url: string }) => { action: string };

/** What a page of the dashboard finds when it opens a window. */
function guarded() {
  const openOutside = vi.fn<(url: string) => void>();
  const openInside = vi.fn<(path: string) => void>();
  let opened: Opened | undefined;
  const contents = {
    on: () => undefined,
    setWindowOpenHandler: (handler: Opened) => void (opened = handler),
  };
  const on = (_name: string, listener: (event: object, made: object) => void) =>
    listener({}, contents);
  guardNavigation({
    app: { on } as never,
    ...{ origin: () => ORIGIN, openOutside, openInside, act: () => undefined },
  });
  return { open: (url: string) => opened?.({ url }), openOutside, openInside };
}

test('a page that opens one window after the other opens a few of them in the browser', () => {
  const { open, openOutside } = guarded();
  for (let i = 0; i < 60; i++) expect(open('https://shop.example/')).toEqual({ action: 'deny' });
  expect(openOutside.mock.calls.length).toBe(30);
});

test('its own pages stay in the window, and what is none of them goes to the browser', () => {
  const { open, openOutside, openInside } = guarded();
  for (const url of ['/rules?q=a', '/docs', '/api/v1/openapi.json']) open(ORIGIN + url);
  expect(openInside.mock.calls).toEqual([['/rules?q=a']]);
  expect(openOutside.mock.calls).toEqual([[`${ORIGIN}/docs`], [`${ORIGIN}/api/v1/openapi.json`]]);
});

test('what is not of the web opens nowhere', () => {
  const { open, openOutside, openInside } = guarded();
  for (const url of ['file:///etc/passwd', 'javascript:1', 'data:text/html,x', '', 'mailto:a@b.c'])
    open(url);
  expect([...openOutside.mock.calls, ...openInside.mock.calls]).toEqual([]);
});

test('only files of the dashboard are saved, and the dialog for them says which', () => {
  let start: ((event: object, item: object) => void) | undefined;
  guardDownloads(
    { on: (_name: string, heard: typeof start) => (start = heard) } as never,
    () => ORIGIN,
  );
  const saved = (url: string) => {
    const preventDefault = vi.fn<() => void>();
    const setSaveDialogOptions = vi.fn<(options: object) => void>();
    const item = { getURL: () => url, getFilename: () => 'vedette.tpl', setSaveDialogOptions };
    start?.({ preventDefault }, item);
    return preventDefault.mock.calls.length === 0 && setSaveDialogOptions.mock.calls[0];
  };
  expect(saved(`blob:${ORIGIN}/4f1b`)).toEqual([{ title: 'Save vedette.tpl' }]);
  for (const url of ['https://shop.example/x.exe', 'blob:https://shop.example/1', 'data:,x'])
    expect(saved(url), url).toBe(false);
});
