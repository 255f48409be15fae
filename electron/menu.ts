import type { MenuItemConstructorOptions } from 'electron';

export interface MenuActions {
  /** Shows the window at a page of the dashboard. */
  go(path: string): void;
  /** Opens `/docs` in the browser of the system. */
  openDocs(): void;
  openLogs(): void;
}

export interface MenuOptions {
  platform: NodeJS.Platform;
  isDevelopment: boolean;
  actions: MenuActions;
  appName: string;
}

type Item = MenuItemConstructorOptions;

const LINE: Item = { type: 'separator' };

const PAGES = [
  ['Overview', '/'],
  ['Events', '/events'],
  ['Rules', '/rules'],
  ['Alerts', '/alerts'],
  ['Tag manager', '/tag-manager'],
  ['Settings', '/settings'],
] as const;

const EDIT: Item[] = [
  { role: 'undo' },
  { role: 'redo' },
  LINE,
  { role: 'cut' },
  { role: 'copy' },
  { role: 'paste' },
  { role: 'selectAll' },
];

export function appMenu(options: MenuOptions): Item[] {
  const isMac = options.platform === 'darwin';
  return [
    isMac ? macAppMenu(options) : fileMenu(options),
    { label: 'Edit', submenu: EDIT },
    { label: 'View', submenu: view(options.isDevelopment) },
    { label: 'Go', submenu: pages(options.actions) },
    { label: 'Window', role: 'window', submenu: windows(isMac) },
    { label: 'Help', role: 'help', submenu: help(options, isMac) },
  ];
}

function macAppMenu({ appName, actions }: MenuOptions): Item {
  return {
    label: appName,
    submenu: [
      { role: 'about', label: `About ${appName}` },
      LINE,
      settings(actions),
      LINE,
      { role: 'services' },
      LINE,
      { role: 'hide', label: `Hide ${appName}` },
      { role: 'hideOthers' },
      { role: 'unhide' },
      LINE,
      quit(appName),
    ],
  };
}

function fileMenu({ appName, actions }: MenuOptions): Item {
  return {
    label: 'File',
    submenu: [
      settings(actions),
      LINE,
      { role: 'close', label: 'Close the window', accelerator: 'CommandOrControl+W' },
      quit(appName),
    ],
  };
}

function settings(actions: MenuActions): Item {
  return {
    label: 'Settings…',
    accelerator: 'CommandOrControl+,',
    click: () => actions.go('/settings'),
  };
}

function quit(appName: string): Item {
  return { role: 'quit', label: `Quit ${appName}`, accelerator: 'CommandOrControl+Q' };
}

function view(isDevelopment: boolean): Item[] {
  const developer: Item[] = isDevelopment ? [LINE, { role: 'toggleDevTools' }] : [];
  return [
    { role: 'reload' },
    LINE,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    // The plus of many keyboards needs Shift; without it the key says `=`.
    { role: 'zoomIn', accelerator: 'CommandOrControl+=', visible: false },
    { role: 'zoomOut' },
    LINE,
    { role: 'togglefullscreen' },
    ...developer,
  ];
}

function pages(actions: MenuActions): Item[] {
  return PAGES.map(([label, path], index) => ({
    label,
    accelerator: `CommandOrControl+${index + 1}`,
    click: () => actions.go(path),
  }));
}

function windows(isMac: boolean): Item[] {
  if (!isMac) return [{ role: 'minimize' }];
  return [{ role: 'close' }, { role: 'minimize' }, { role: 'zoom' }, LINE, { role: 'front' }];
}

function help({ actions, appName }: MenuOptions, isMac: boolean): Item[] {
  const about: Item[] = isMac ? [] : [LINE, { role: 'about', label: `About ${appName}` }];
  return [
    { label: 'API documentation', click: () => actions.openDocs() },
    { label: 'Open the logs folder', click: () => actions.openLogs() },
    ...about,
  ];
}
