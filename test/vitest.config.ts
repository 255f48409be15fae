import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    globalSetup: 'helpers/built.ts',
    // Crash and disk tests start processes and wait for real disks.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    restoreMocks: true,
    // Most of them wait for disks and processes, so one for each core is not too many.
    maxWorkers: 2,
  },
});
