import path from 'node:path';
import { defineConfig } from 'vitest/config';
import type { TestUserConfig } from 'vitest/config';

const ui = path.join(import.meta.dirname, '../ui/src');

/** What starts the real desktop program. */
const WINDOWS = 'electron/window/**/*.test.ts';

const resolve = {
  alias: {
    $components: path.join(ui, 'components'),
    $lib: path.join(ui, 'lib'),
    $electron: path.join(import.meta.dirname, '../electron'),
    $server: path.join(import.meta.dirname, '../server'),
  },
};

const common: TestUserConfig = {
  root: import.meta.dirname,
  // The files of a worker share its modules, and with them one appliance and one browser.
  isolate: false,
  // Only what hangs is to end by these: crash and disk tests start processes and wait for real
  // disks, and a busy machine takes several times as long.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
  restoreMocks: true,
  // Nearly all of them keep a core busy.
  maxWorkers: 2,
};

export default defineConfig({
  test: {
    root: import.meta.dirname,
    // Named here alone: each project that named it would build all anew.
    globalSetup: 'helpers/built.ts',
    // One after the other: a window takes both cores to come up.
    projects: [
      {
        resolve,
        test: { ...common, name: 'program', include: ['**/*.test.ts'], exclude: [WINDOWS] },
      },
      {
        resolve,
        test: {
          ...common,
          ...{ name: 'window', include: [WINDOWS], sequence: { groupOrder: 1 } },
          globalSetup: 'helpers/desktop/packed.ts',
        },
      },
    ],
  },
});
