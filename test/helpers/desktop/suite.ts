import { afterAll, describe } from 'vitest';
import { missing } from './runtime.ts';
import { createScope } from './scope.ts';
import type { Scope } from './scope.ts';

/** Tests of the real program. Where it cannot run they are skipped, and their name says why. */
export function desktopSuite(name: string, tests: (scope: Scope) => void): void {
  const why = missing();
  const words = why === undefined ? name : `${name} (skipped: ${why})`;
  describe.skipIf(why !== undefined)(words, () => {
    // For what several of its tests share.
    const scope = createScope();
    afterAll(() => scope.close());
    tests(scope);
  });
}
