import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createTray,
  trayMenu,
  trayWords,
  type TrayActions,
  type TrayState,
} from '../../electron/tray.ts';
import { click, FakeTray, find, labels, submenu, trayParts } from '../helpers/electron-parts.ts';
import type { FakeImage } from '../helpers/electron-parts.ts';

const QUIET: TrayState = {
  open: { critical: 0, warning: 0, info: 0 },
  ...{ trouble: null, pausedUntil: null, url: 'http://127.0.0.1:4711', update: null },
};
const NOON = new Date(2026, 0, 31, 12).getTime();
const at = (now: number) => ({ now: () => now });
const open = (critical: number, warning: number, info: number): TrayState => ({
  ...QUIET,
  open: { critical, warning, info },
});
const local = (day: number, hour: number, minute = 0) =>
  new Date(2026, 0, day, hour, minute).toISOString();

function someActions() {
  const done: string[] = [];
  const note = (what: string) => () => void done.push(what);
  const actions: TrayActions = {
    open: note('open'),
    openAlerts: note('alerts'),
    pause: (until) => void done.push(`pause ${until}`),
    quit: note('quit'),
    openLogs: note('logs'),
    restartToUpdate: note('update'),
  };
  return { done, actions };
}

describe('its words', () => {
  it.each([
    [QUIET, 'Vedette: no open alerts'],
    [open(2, 1, 0), 'Vedette: 2 critical and 1 warning open'],
    [open(0, 4, 0), 'Vedette: 4 warnings open'],
    [open(1, 2, 3), 'Vedette: 1 critical, 2 warnings and 3 info open'],
    [
      { ...open(2, 0, 0), trouble: 'events cannot be written to disk' },
      'Vedette: events cannot be written to disk',
    ],
    [{ ...QUIET, trouble: ' \n\u0000 ' }, 'Vedette: no open alerts'],
  ])('say the state in one line', (state, words) => {
    expect(trayWords(state)).toBe(words);
  });

  it('are never longer than Windows can show, nor cut a character in two', () => {
    const words = trayWords({ ...QUIET, trouble: '🦆'.repeat(500) });
    expect(words.length).toBeLessThanOrEqual(127);
    expect(words.isWellFormed()).toBe(true);
  });
});

describe('its menu', () => {
  it('says the open alerts first, and leads to them', () => {
    const { actions, done } = someActions();
    const menu = trayMenu(open(2, 1, 0), actions, at(NOON));
    expect(menu[0]?.label).toBe('2 critical and 1 warning open');
    click(menu, '2 critical and 1 warning open');
    expect(done).toEqual(['alerts']);
    expect(trayMenu(QUIET, actions, at(NOON))[0]?.label).toBe('No open alerts');
  });

  it('says what is wrong before the alerts, with nothing taken for a shortcut', () => {
    const state = { ...open(1, 0, 0), trouble: 'logs & events cannot be written' };
    const menu = trayMenu(state, someActions().actions, at(NOON));
    expect(labels(menu).slice(0, 2)).toEqual([
      'Logs && events cannot be written',
      '1 critical open',
    ]);
  });

  it('does each thing that it offers', () => {
    const { actions, done } = someActions();
    const menu = trayMenu({ ...QUIET, update: '1.2.0' }, actions, at(NOON));
    expect(labels(menu)).toEqual([
      ...['No open alerts', 'Open Vedette', 'Pause notifications', 'For 1 hour'],
      ...['Until tomorrow 8:00', 'Until I switch them on', 'Open the logs folder'],
      ...['Restart to update to 1.2.0', 'Quit Vedette'],
    ]);
    for (const label of labels(menu)) if (label !== 'Pause notifications') click(menu, label);
    expect(done).toEqual([
      ...['alerts', 'open', `pause ${local(31, 13)}`, `pause ${local(32, 8)}`, 'pause always'],
      ...['logs', 'update', 'quit'],
    ]);
  });

  it('offers no update where there is none', () => {
    const menu = trayMenu(QUIET, someActions().actions, at(NOON));
    expect(labels(menu).some((label) => label.includes('update'))).toBe(false);
  });

  it('counts a pause from the click, however old the menu is', () => {
    const { actions, done } = someActions();
    const clock = at(NOON);
    const menu = trayMenu(QUIET, actions, clock);
    clock.now = () => NOON + 3 * 86_400_000;
    click(menu, 'For 1 hour');
    expect(done).toEqual([`pause ${local(34, 13)}`]);
  });

  it.each([
    ['always', 'Notify again (paused)'],
    [local(31, 15, 20), 'Notify again (paused until 15:20)'],
    [local(31, 18, 5), 'Notify again (paused until 18:05)'],
    [local(32, 8), /^Notify again \(paused until Sun,? 1 Feb, 8:00\)$/],
  ])('offers to notify again while paused until %s', (pausedUntil, label) => {
    const { actions, done } = someActions();
    const menu = trayMenu({ ...QUIET, pausedUntil }, actions, at(NOON));
    expect(labels(menu)).not.toContain('Pause notifications');
    click(menu, label);
    expect(done).toEqual(['pause null']);
  });

  it('offers to pause again once the pause is over', () => {
    const state = { ...QUIET, pausedUntil: local(31, 12) };
    const menu = trayMenu(state, someActions().actions, at(NOON));
    const pause = find(menu, ({ label }) => label === 'Pause notifications');
    expect(submenu(pause)).toHaveLength(3);
  });
});

describe('its icon', () => {
  function aTray(platform: NodeJS.Platform = 'linux') {
    const { actions, done } = someActions();
    const tray = createTray({ ...trayParts(), platform, actions });
    onTestFinished(() => tray.close());
    const shown = (): FakeTray => {
      const [made] = FakeTray.made;
      if (!made) throw new Error('No tray');
      return made;
    };
    const image = () => shown().image as FakeImage;
    return { tray, shown, image, done };
  }

  it('shows what presses most', () => {
    const { tray, image } = aTray();
    const seen = (state: TrayState) => {
      tray.show(state);
      return image().path;
    };
    const paused = { pausedUntil: 'always' };
    expect(seen(QUIET)).toBe('/icons/24/quiet.png');
    expect(seen({ ...QUIET, ...paused })).toBe('/icons/24/paused.png');
    expect(seen({ ...open(0, 0, 1), ...paused })).toBe('/icons/24/info.png');
    expect(seen(open(0, 1, 1))).toBe('/icons/24/warning.png');
    expect(seen(open(1, 1, 1))).toBe('/icons/24/critical.png');
    expect(seen({ ...open(1, 1, 1), trouble: 'broken' })).toBe('/icons/24/trouble.png');
    expect(FakeTray.made).toHaveLength(1);
  });

  it('is smaller on Windows, and opens the window by a click', () => {
    const { tray, shown, image, done } = aTray('win32');
    tray.show(QUIET);
    expect(image().path).toBe('/icons/16/quiet.png');
    shown().emit('click');
    shown().emit('double-click');
    expect(done).toEqual(['open', 'open']);
  });

  it('is a template on macOS with the count beside it, and leaves the click to the menu', () => {
    const { tray, shown, image, done } = aTray('darwin');
    tray.show(open(2, 1, 0));
    expect(image()).toMatchObject({ path: '/icons/16/macTemplate.png', isTemplate: true });
    expect(shown().title).toBe('3');
    tray.show(QUIET);
    expect(shown().title).toBe('');
    tray.show({ ...QUIET, trouble: 'broken' });
    expect(shown().title).toBe('!');
    shown().emit('click');
    expect(done).toEqual([]);
  });

  it('sets a menu only when something in it changed', () => {
    const { tray, shown } = aTray();
    tray.show(open(1, 0, 0));
    tray.show(open(1, 0, 0));
    tray.show({ ...open(1, 0, 0), url: 'http://127.0.0.1:4712' });
    expect(shown().menus).toHaveLength(1);
    tray.show(open(2, 0, 0));
    expect(shown().menus).toHaveLength(2);
    expect(shown().tooltip).toBe('Vedette: 2 critical open');
  });

  it('follows the end of a pause by itself, however far away that is', () => {
    vi.useFakeTimers({ now: NOON });
    onTestFinished(() => void vi.useRealTimers());
    const { tray, image } = aTray();
    tray.show({ ...QUIET, pausedUntil: local(31, 13) });
    expect(image().path).toContain('paused');
    vi.advanceTimersByTime(3_600_000);
    expect(image().path).toContain('quiet');
    tray.show({ ...QUIET, pausedUntil: '9999-12-31T23:59:59.000Z' });
    tray.show({ ...QUIET, pausedUntil: '9999-12-31T23:59:59.000Z' });
    expect(image().path).toContain('paused');
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersToNextTimer();
    expect(Date.now() - NOON).toBeGreaterThan(24 * 3_600_000);
    tray.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is taken away at the end', () => {
    const { tray, shown } = aTray();
    tray.close();
    tray.show(QUIET);
    tray.close();
    expect(shown().isGone).toBe(true);
  });
});
