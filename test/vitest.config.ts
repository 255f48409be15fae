import path from 'node:path';
import { defineConfig } from 'vitest/config';

const ui = path.join(import.meta.dirname, '../ui/src');

/** What starts the real desktop program. */
const WINDOWS = 'electron/window/**/*.test.ts';

export default defineConfig({
  resolve: {
    alias: {
      $components: path.join(ui, 'components'),
      $lib: path.join(ui, 'lib'),
      $electron: path.join(import.meta.dirname, '../electron'),
      $server: path.join(import.meta.dirname, '../server'),
    },
  },
  test: {
    root: import.meta.dirname,
    globalSetup: 'helpers/built.ts',
    // The files of a worker share its modules, and with them one appliance and one browser.
    isolate: false,
    // Only what hangs is to end by these: crash and disk tests start processes and wait for real
    // disks, and a busy machine takes several times as long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    restoreMocks: true,
    // Most of them wait for disks and processes, so one for each core is not too many.
    maxWorkers: 2,
    // One after the other: a window takes both cores to come up, and others are held to their time.
    projects: [
      {
        extends: true,
        test: { name: 'program', include: ['**/*.test.ts'], exclude: [WINDOWS] },
      },
      {
        extends: true,
        test: {
          ...{ name: 'window', include: [WINDOWS], sequence: { groupOrder: 1 } },
          globalSetup: 'helpers/desktop/packed.ts',
        },
      },
    ],
  },
});
