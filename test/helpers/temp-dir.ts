import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { atWorkerEnd } from './worker-end.ts';

/** A directory for one test alone, gone when the test is over. */
export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'vedette-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A directory that several tests share; gone when the worker that runs them ends. */
export function sharedDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'vedette-test-'));
  atWorkerEnd(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
