import { describe, expect, it } from 'vitest';
import type { MenuItemConstructorOptions } from 'electron';
import { appMenu, type MenuOptions } from '../../electron/menu.ts';
import { click, find, labels, submenu } from '../helpers/electron-parts.ts';

function aMenu(given: Partial<MenuOptions> = {}) {
  const done: string[] = [];
  const menu = appMenu({
    platform: 'linux',
    isDevelopment: false,
    appName: 'Vedette',
    actions: {
      go: (path) => done.push(`go ${path}`),
      openDocs: () => done.push('docs'),
      openLogs: () => done.push('logs'),
    },
    ...given,
  });
  return { menu, done };
}

const withRole = (menu: MenuItemConstructorOptions[], role: string) =>
  find(menu, (item) => item.role === role);
const byKeys = (menu: MenuItemConstructorOptions[], keys: string) =>
  find(menu, (item) => item.accelerator === `CommandOrControl+${keys}`);

describe.each(['linux', 'win32', 'darwin'] as const)('on %s', (platform) => {
  it('has the usual menus, and its own between them', () => {
    const { menu } = aMenu({ platform });
    const first = platform === 'darwin' ? 'Vedette' : 'File';
    expect(menu.map(({ label }) => label)).toEqual([
      ...[first, 'Edit', 'View', 'Go', 'Window', 'Help'],
    ]);
    const roles = ['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll', 'reload', 'about'];
    for (const role of [...roles, 'resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen', 'minimize'])
      expect(withRole(menu, role), role).toBeDefined();
  });

  it('goes to each page by its number', () => {
    const { menu, done } = aMenu({ platform });
    for (const key of [1, 2, 3, 4, 5, 6]) click([byKeys(menu, `${key}`) ?? {}], /./);
    expect(done).toEqual([
      ...['go /', 'go /events', 'go /rules', 'go /alerts', 'go /tag-manager', 'go /settings'],
    ]);
  });

  it('has the usual keys for settings, closing and quitting', () => {
    const { menu, done } = aMenu({ platform });
    click([byKeys(menu, ',') ?? {}], 'Settings…');
    expect(done).toEqual(['go /settings']);
    expect(byKeys(menu, 'Q')?.role).toBe('quit');
    expect(withRole(menu, 'close')).toBeDefined();
  });

  it('gives no two items the same keys', () => {
    const { menu } = aMenu({ platform, isDevelopment: true });
    const keys = menu
      .flatMap(submenu)
      .map(({ accelerator }) => accelerator)
      .filter((one) => one !== undefined);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('has developer tools only in development', () => {
    expect(withRole(aMenu({ platform }).menu, 'toggleDevTools')).toBeUndefined();
    const { menu } = aMenu({ platform, isDevelopment: true });
    expect(withRole(menu, 'toggleDevTools')).toBeDefined();
  });
});

it('helps with the documentation and the logs', () => {
  const { menu, done } = aMenu();
  click(menu, 'API documentation');
  click(menu, 'Open the logs folder');
  expect(done).toEqual(['docs', 'logs']);
  expect(labels(menu)).toContain('About Vedette');
});
