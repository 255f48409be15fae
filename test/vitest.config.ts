import path from 'node:path';
import { defineConfig } from 'vitest/config';

const ui = path.join(import.meta.dirname, '../ui/src');

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
    include: ['**/*.test.ts'],
    globalSetup: 'helpers/built.ts',
    // Crash and disk tests start processes and wait for real disks.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // On a busy machine a window takes more than the usual second to do what it was told.
    expect: { poll: { timeout: 10_000 } },
    restoreMocks: true,
    // Most of them wait for disks and processes, so one for each core is not too many.
    maxWorkers: 2,
  },
});
