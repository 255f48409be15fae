import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { settleProfile } from '../../electron/paths.ts';
import { smallDisk, whyNoSmallDisk } from '../helpers/small-disk.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const why = whyNoSmallDisk();

/** What it settled for; a place for the moment is gone after the test. */
function settled(dataDir: string) {
  const place = settleProfile(dataDir);
  if (!place.isUsable) {
    onTestFinished(() => rmSync(place.profile, { recursive: true, force: true }));
  }
  return place;
}

describe("the window's own data", () => {
  test('lies in the data directory, and nothing else is left there', () => {
    const dataDir = path.join(tempDir(), 'new');
    for (let starts = 0; starts < 2; starts++) {
      expect(settled(dataDir)).toEqual({ profile: path.join(dataDir, 'window'), isUsable: true });
      expect(readdirSync(dataDir)).toEqual(['window']);
      expect(readdirSync(path.join(dataDir, 'window'))).toEqual([]);
    }
  });

  test('makes nothing where something is to be said first', () => {
    const dataDir = path.join(tempDir(), 'mounted');
    const { profile, isUsable } = settleProfile(dataDir, () => {
      throw new Error('not mounted');
    });
    onTestFinished(() => rmSync(profile, { recursive: true, force: true }));
    expect(isUsable).toBe(false);
    expect(existsSync(dataDir)).toBe(false);
  });

  test('has a place for the moment where something else is in its place', () => {
    const dataDir = tempDir();
    writeFileSync(path.join(dataDir, 'window'), '');
    const { profile, isUsable } = settled(dataDir);
    expect(isUsable).toBe(false);
    expect(readdirSync(profile)).toEqual([]);
  });

  test.skipIf(why)('has one too where its folder is there but cannot be written', () => {
    const { dir } = smallDisk('1m');
    mkdirSync(path.join(dir, 'window'));
    execFileSync('mount', ['-o', 'remount,ro', dir]);
    const { profile, isUsable } = settled(dir);
    expect(isUsable).toBe(false);
    expect(profile.startsWith(dir)).toBe(false);
  });

  test.skipIf(why)('stays on a disk that is full', () => {
    const disk = smallDisk('1m');
    mkdirSync(path.join(disk.dir, 'window'));
    disk.fill();
    expect(settled(disk.dir).isUsable).toBe(true);
  });
});
