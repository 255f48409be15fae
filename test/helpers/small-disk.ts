import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** Why this machine cannot mount a small disk; undefined when it can. */
export function whyNoSmallDisk(): string | undefined {
  if (process.platform !== 'linux') return 'tmpfs is Linux only';
  const dir = mkdtempSync(path.join(tmpdir(), 'vedette-disk-'));
  try {
    mount(dir, '1m');
    execFileSync('umount', [dir], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `a tmpfs cannot be mounted: ${String((error as { stderr?: unknown }).stderr ?? error)}`;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const mount = (dir: string, size: string) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', dir], { stdio: 'pipe' });

/** A disk of its own for one test alone, unmounted when the test is over. */
export function smallDisk(size: string) {
  const dir = mkdtempSync(path.join(tmpdir(), 'vedette-disk-'));
  mount(dir, size);
  onTestFinished(() => {
    // Lazily, since a process that is just ending may still be inside.
    execFileSync('umount', ['-l', dir]);
    rmSync(dir, { recursive: true, force: true });
  });
  const filler = path.join(dir, 'filler');

  return {
    dir,
    free(): number {
      const { bavail, bsize } = statfsSync(dir);
      return bavail * bsize;
    },
    /** Takes what is free, but for `leave` bytes. */
    fill(leave = 0): void {
      const file = openSync(filler, 'a');
      try {
        for (let rest = this.free() - leave; rest > 0; rest = this.free() - leave) {
          if (writeSync(file, Buffer.alloc(Math.min(rest, 1 << 20))) === 0) break;
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    makeReadOnly: () => execFileSync('mount', ['-o', 'remount,ro', dir], { stdio: 'pipe' }),
    makeRoom: () => rmSync(filler, { force: true }),
  };
}
