import '../server/runtime.js';
import { app, dialog, protocol } from 'electron';
import { version } from '../server/appliance.ts';
import { StartError } from '../server/platform/start-errors.ts';
import { mustNotBeGone } from '../server/platform/known-places.ts';
import { helpText } from '../server/platform/options.ts';
import type { Options } from '../server/platform/options.ts';
import { ownArguments, readGiven } from './options.ts';
import { announcePages } from './pages.ts';
import { settleProfile } from './paths.ts';
import { createShell } from './shell.ts';

function main(): void {
  app.setName('Vedette');
  app.setAppUserModelId('app.vedette.desktop');
  const { command, isHidden } = readGiven(ownArguments(process.argv, app.isPackaged), process.env);
  // A Mac starts programs at sign-in without arguments, and says so instead.
  const atLogin = process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
  if (command.run === 'start') run(command.options, isHidden || atLogin);
  else leave(command.run === 'help' ? helpText() : version);
}

function run(options: Options, isHidden: boolean): void {
  const place = settleProfile(options.dataDir, () => mustNotBeGone(options));
  app.setPath('userData', place.profile);
  if (place.isUsable && !app.requestSingleInstanceLock()) {
    leave('Vedette is open already; its window is shown.');
    return;
  }
  announcePages(protocol);
  const shell = createShell({ options, isHidden, ...place });
  app.on('second-instance', () => shell.show());
  app.on('activate', () => shell.show());
  // It goes on in the tray.
  app.on('window-all-closed', () => undefined);
  app.on('before-quit', (event) => shell.quit(event));
  void shell.start();
}

function leave(text: string): void {
  process.stdout.write(`${text}\n`);
  app.exit(0);
}

/** An option that is wrong: before there is anything to show a page with. */
function refuse(error: unknown): void {
  const text =
    error instanceof StartError ? error.message : String((error as Error).stack ?? error);
  process.stderr.write(`vedette: ${text}\n`);
  const isSeen = process.stderr.isTTY || process.channel !== undefined;
  const code = error instanceof StartError ? 2 : 1;
  if (isSeen) process.exit(code);
  // Not the box that stops everything: a signal must still end it.
  void app.whenReady().then(async () => {
    await dialog.showMessageBox({
      type: 'error',
      message: 'Vedette could not start',
      detail: text,
      buttons: ['Quit'],
    });
    app.exit(code);
  });
}

// Who started it may be gone, and with it the terminal that it writes to.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  main();
} catch (error) {
  refuse(error);
}
