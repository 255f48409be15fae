import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory for one test alone, gone when the test is over. */
export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'vedette-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A directory that several tests share; gone when the worker that runs them ends. */
export function sharedDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'vedette-test-'));
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
