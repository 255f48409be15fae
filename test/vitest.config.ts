import path from 'node:path';
import { defineConfig } from 'vitest/config';

const ui = path.join(import.meta.dirname, '../ui/src');

/** What starts the desktop program, among what only looks at parts of it. */
const WINDOWS = ['electron/**/*.test.ts', 'build/**/*.test.ts'];

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
    // Crash and disk tests start processes and wait for real disks.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // On a busy machine a window takes more than the usual second to do what it was told.
    expect: { poll: { timeout: 10_000 } },
    restoreMocks: true,
    // Most of them wait for disks and processes, so one for each core is not too many.
    maxWorkers: 2,
    // One after the other: a window takes both cores to come up, and others are held to their time.
    projects: [
      {
        extends: true,
        test: { name: 'program', include: ['**/*.test.ts'], exclude: WINDOWS },
      },
      {
        extends: true,
        test: { name: 'window', include: WINDOWS, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
