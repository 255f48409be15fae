import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { useDisplay } from '../helpers/desktop/display.ts';
import { startDesktop } from '../helpers/desktop/program.ts';
import { missing, suite } from '../helpers/desktop/runtime.ts';
import { offerSleep } from '../helpers/desktop/sleep.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const why = missing();

describe.skipIf(why !== undefined)(suite('a machine that wakes up', why), () => {
  const display = useDisplay();

  test('is told to the evaluator', async () => {
    const machine = await offerSleep(display().bus);
    const dataDir = tempDir();
    await startDesktop(display(), { dataDir, args: ['--hidden'] });
    const hasWoken = () =>
      readFileSync(path.join(dataDir, 'logs/vedette.log'), 'utf8').includes('The machine woke up');
    // Nobody says when it has begun to listen, so it sleeps until it is heard.
    await expect
      .poll(() => {
        machine.fallAsleep();
        machine.wakeUp();
        return hasWoken();
      })
      .toBe(true);
  });
});
