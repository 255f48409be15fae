import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Where the parts of the program lie, packed or not: `electron/dist` and `ui/dist` side by side. */
export function programPaths() {
  const built = import.meta.dirname;
  return {
    preload: path.join(built, 'preload.cjs'),
    icons: path.join(built, 'icons'),
    icon: path.join(built, 'icons', 'app.png'),
    /** Handed over with each notification, so it is a small one. */
    noticeIcon: path.join(built, 'icons', 'notice.png'),
    dashboard: path.join(built, '../../ui/dist'),
  };
}

export type ProgramPaths = ReturnType<typeof programPaths>;

/**
 * Finds the window's own data a place below the data directory, so that each data directory has
 * one program and two of them do not get into each other's way. Where it cannot be written the
 * window gets a place for the moment, to say so; and so it does where nothing may be made, since
 * the directory is without the disk that belongs there.
 */
export function settleProfile(
  dataDir: string,
  check: () => void = () => undefined,
): { profile: string; isUsable: boolean } {
  const profile = path.join(dataDir, 'window');
  try {
    check();
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    mkdirSync(profile, { recursive: true, mode: 0o700 });
    mustBeWritable(profile);
    return { profile, isUsable: true };
  } catch {
    return { profile: mkdtempSync(path.join(tmpdir(), 'vedette-window-')), isUsable: false };
  }
}

/**
 * A folder that is there may still be somebody else's, or lie on a disk that is read only; Chromium,
 * which cannot put its lock there then, says that another one is open. The file is empty, as a full
 * disk is no reason to leave the folder.
 */
function mustBeWritable(folder: string): void {
  const probe = path.join(folder, `.probe-${process.pid}`);
  writeFileSync(probe, '');
  rmSync(probe, { force: true });
}
