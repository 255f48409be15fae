import { beforeEach, describe, expect, test, vi } from 'vitest';
import { answerDashboard } from '../../electron/ipc.ts';
import type { Asked } from '../../electron/ipc.ts';

const ORIGIN = 'http://127.0.0.1:8737';
const frameOf = (url: string) => ({ url });
const mainFrame = frameOf(`${ORIGIN}/settings/desktop`);
const page = { mainFrame };

const bridge = {
  read: vi.fn(async () => 'view'),
  change: vi.fn<Asked['change']>(async () => 'changed' as never),
  openFolder: vi.fn<Asked['openFolder']>(async () => undefined),
  signIn: vi.fn(async () => undefined),
  checkForUpdates: vi.fn(async () => 'view'),
  restartToUpdate: vi.fn(async () => undefined),
};

type Handler = (event: unknown, ...args: unknown[]) => Promise<unknown>;

function answering(origin: string | undefined = ORIGIN) {
  const handlers = new Map<string, Handler>();
  const end = answerDashboard({
    ipcMain: {
      handle: (name: string, handler: Handler) => void handlers.set(name, handler),
      removeHandler: (name: string) => void handlers.delete(name),
    } as never,
    asker: () => page as never,
    origin: () => origin,
    bridge: bridge as unknown as Asked,
  });
  const ask = (
    name: string,
    args: unknown[],
    event: object = { sender: page, senderFrame: mainFrame },
  ) => (handlers.get(`vedette:${name}`) as Handler)(event, ...args);
  return { ask, end, handlers };
}

describe('what a page asks of the desktop', () => {
  beforeEach(() => vi.clearAllMocks());

  test('is answered when it is the dashboard in our window', async () => {
    const { ask } = answering();
    expect(await ask('read', [])).toBe('view');
    expect(await ask('change', [{ close_to_tray: false }])).toBe('changed');
    expect(bridge.change).toHaveBeenCalledWith({ close_to_tray: false });
  });

  test.for<[string, object]>([
    ['another window', { sender: { mainFrame }, senderFrame: mainFrame }],
    ['a frame within the page', { sender: page, senderFrame: frameOf(`${ORIGIN}/`) }],
    ['a page that is gone', { sender: page, senderFrame: null }],
  ])('is refused to %s', async ([, event]) => {
    const { ask } = answering();
    await expect(ask('read', [], event)).rejects.toThrow('Only the dashboard');
    expect(bridge.read).not.toHaveBeenCalled();
  });

  test.for([
    'https://evil.example/',
    'vedette://failure/',
    'data:text/html,x',
    'http://127.0.0.1:8738/',
  ])('is refused to %s in our window', async (url) => {
    const { ask } = answering();
    const frame = frameOf(url);
    page.mainFrame = frame;
    await expect(ask('read', [], { sender: page, senderFrame: frame })).rejects.toThrow();
    page.mainFrame = mainFrame;
  });

  test('is refused while there is no dashboard', async () => {
    const { ask } = answering('');
    await expect(ask('read', [])).rejects.toThrow('Only the dashboard');
  });

  test.for<[string, unknown[]]>([
    ['change', []],
    ['change', [null]],
    ['change', [{ close_to_tray: 'yes' }]],
    ['change', [{ hint_shown: false }]],
    ['change', [{ paused_until: 'tomorrow' }]],
    ['change', [{ close_to_tray: true }, 'more']],
    ['openFolder', []],
    ['openFolder', ['/etc']],
    ['openFolder', ['../logs']],
    ['read', ['more']],
  ])('%s with %j is refused and does nothing', async ([name, args]) => {
    const { ask } = answering();
    await expect(ask(name, args)).rejects.toThrow('in a way that it does not have');
    expect(bridge.change).not.toHaveBeenCalled();
    expect(bridge.openFolder).not.toHaveBeenCalled();
  });

  test('is no longer answered after the end', () => {
    const { end, handlers } = answering();
    expect(handlers.size).toBe(6);
    end();
    expect(handlers.size).toBe(0);
  });
});
