import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import type { TestUserConfig } from 'vitest/config';
import { soaking } from './helpers/soak.ts';

const root = import.meta.dirname;
const ui = path.join(root, '../ui/src');

/** What starts the real desktop program. */
const WINDOWS = 'electron/window/**/*.test.ts';

/** What has no more to do in the soak than in `npm test`, and so is left out there. */
const idle = globSync('**/*.test.ts', { cwd: root }).filter(
  (file) => soaking && !readFileSync(path.join(root, file), 'utf8').includes('helpers/soak.ts'),
);

const resolve = {
  alias: {
    $components: path.join(ui, 'components'),
    $lib: path.join(ui, 'lib'),
    $electron: path.join(root, '../electron'),
    $server: path.join(root, '../server'),
  },
};

const common: TestUserConfig = {
  root,
  // The files of a worker share its modules, and with them one appliance and one browser.
  isolate: false,
  // Only what hangs is to end by these: crash and disk tests start processes and wait for real
  // disks, and a busy machine takes several times as long.
  testTimeout: soaking ? 3_600_000 : 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
  restoreMocks: true,
  // Nearly all of them keep a core busy.
  maxWorkers: 2,
};

export default defineConfig({
  test: {
    root,
    // Named here alone: each project that named it would build all anew.
    globalSetup: 'helpers/built.ts',
    // One after the other: a window takes both cores to come up.
    projects: [
      {
        resolve,
        test: {
          ...common,
          name: 'program',
          include: ['**/*.test.ts'],
          exclude: [WINDOWS, ...idle],
        },
      },
      {
        resolve,
        test: {
          ...common,
          ...{ name: 'window', include: [WINDOWS], exclude: idle, sequence: { groupOrder: 1 } },
          globalSetup: 'helpers/desktop/packed.ts',
        },
      },
    ],
  },
});
