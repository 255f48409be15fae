import { expect, it, onTestFinished, vi } from 'vitest';
import type { Preferences } from '../../electron/schema.ts';
import { createUpdates, type UpdateOptions } from '../../electron/updates.ts';
import { aLog, aRelease, FakeUpdater, settled } from '../helpers/electron-parts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Given = Partial<UpdateOptions> & {
  wanted?: boolean;
  notInstalled?: Preferences['not_installed'];
};

function shell(given: Given = {}) {
  vi.useFakeTimers({ now: 0, toFake: ['setInterval', 'clearInterval', 'Date'] });
  const { wanted = true, notInstalled = null, ...options } = given;
  const updater = new FakeUpdater();
  const log = aLog();
  const load = vi.fn(async () => updater.real);
  let current = { check_for_updates: wanted, not_installed: notInstalled } as Preferences;
  const listeners = new Set<(now: Preferences) => void>();
  const preferences = {
    current: () => current,
    onChange: (listener: (now: Preferences) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    change: async (patch: object) => {
      current = { ...current, ...patch };
      for (const listener of listeners) listener(current);
      return current;
    },
  };
  const want = (is: boolean) => void preferences.change({ check_for_updates: is });
  const updates = createUpdates({
    ...{ updater: load, isPossible: true, preferences, log, chance: () => 0.5 },
    ...options,
  });
  const seen: string[] = [];
  updates.onChange(({ state }) => seen.push(state));
  onTestFinished(() => {
    updates.close();
    vi.useRealTimers();
  });
  return { updates, updater, load, log, want, seen, listeners, preferences };
}

async function pass(time: number) {
  await vi.advanceTimersByTimeAsync(time);
  await settled();
}

async function whileLoading(given: Given = {}) {
  const parts = shell(given);
  const release = aRelease('1.2.0');
  parts.updater.answers = [release.result];
  await parts.updates.check();
  return { ...parts, release };
}

async function whenReady(given: Given = {}) {
  const parts = await whileLoading(given);
  parts.release.download.resolve([]);
  await settled();
  expect(parts.updates.state()).toMatchObject({ state: 'ready', version: '1.2.0' });
  return parts;
}

it('asks a minute after the start, and then every six hours and a bit', async () => {
  const { updater, load } = shell();
  await pass(MINUTE - 1);
  expect(load).not.toHaveBeenCalled();
  await pass(1);
  expect(updater.asked).toBe(1);
  await pass(6 * HOUR);
  expect(updater.asked).toBe(1);
  await pass(15 * MINUTE);
  expect(updater.asked).toBe(2);
  expect(load).toHaveBeenCalledTimes(1);
});

it('asks after a sleep in which no timer ran', async () => {
  const { updater } = shell();
  await pass(MINUTE);
  vi.setSystemTime(20 * HOUR);
  await pass(MINUTE);
  expect(updater.asked).toBe(2);
});

it('never goes back, takes no trial version, and installs nothing at a quit', async () => {
  const { updates, updater } = shell();
  await updates.check();
  expect(updater).toMatchObject({
    ...{ autoDownload: true, autoInstallOnAppQuit: false, disableWebInstaller: true },
    ...{ allowPrerelease: false, allowDowngrade: false, logger: null },
  });
});

it('is current when there is nothing newer, and not before it has asked', async () => {
  const { updates, seen } = shell();
  expect(updates.state()).toEqual({ state: 'unasked', version: null, detail: null });
  await updates.check();
  expect(seen).toEqual(['checking', 'current']);
});

it('loads a new version by itself, says when it is ready, and then asks no more', async () => {
  const { updates, updater, seen, release } = await whileLoading();
  expect(updates.state()).toEqual({ state: 'loading', version: '1.2.0', detail: null });
  await updates.check();
  release.download.resolve([]);
  await settled();
  expect(updates.state()).toEqual({ state: 'ready', version: '1.2.0', detail: null });
  await pass(24 * HOUR);
  await updates.check();
  expect(updater.asked).toBe(1);
  expect(seen).toEqual(['checking', 'loading', 'ready']);
});

it('asks once for two who want to know at the same time', async () => {
  const { updates, updater } = shell();
  const answer = Promise.withResolvers<null>();
  updater.answers = [answer.promise];
  const both = Promise.all([updates.check(), updates.check()]);
  answer.resolve(null);
  await both;
  expect(updater.asked).toBe(1);
});

it.each([{ wanted: false }, { isPossible: false }])('loads nothing with %j', async (given) => {
  const { updates, load, seen } = shell(given);
  await updates.check();
  await pass(48 * HOUR);
  expect(load).not.toHaveBeenCalled();
  expect(seen).toEqual([]);
  expect(vi.getTimerCount()).toBe(given.isPossible === false ? 0 : 1);
  expect(updates.state().state).toBe(given.wanted === false ? 'off' : 'unavailable');
});

it('says why there is no place to ask, however it learns that', async () => {
  const { updates, updater } = shell({ isPossible: false });
  const detail = 'It was made without an address to ask for new versions.';
  expect(updates.state()).toEqual({ state: 'unavailable', version: null, detail });

  const other = shell();
  const missing = "ENOENT: no such file or directory, open '/opt/v/resources/app-update.yml'";
  other.updater.answers = [new Error(missing)];
  await other.updates.check();
  expect(other.updates.state().detail).toBe(detail);
  other.want(false);
  other.want(true);
  await pass(24 * HOUR);
  expect(other.updater.asked).toBe(1);
  expect(updater.asked).toBe(0);
});

it('stops what it is loading when switched off, and goes on when switched on again', async () => {
  const { updates, updater, want, log, seen, release } = await whileLoading();
  updater.answers = [release.result];
  want(false);
  await settled();
  expect(release.cancel).toHaveBeenCalledTimes(1);
  expect(updates.state()).toEqual({ state: 'off', version: null, detail: null });
  await pass(24 * HOUR);
  expect(updater.asked).toBe(1);
  want(true);
  await pass(MINUTE);
  expect(updater.asked).toBe(2);
  expect(seen.slice(0, 4)).toEqual(['checking', 'loading', 'off', 'unasked']);
  expect(log.lines).toHaveLength(1);
});

it('stays off when the answer comes after it was switched off', async () => {
  const { updates, updater, want } = shell();
  const release = aRelease('1.2.0');
  const answer = Promise.withResolvers<typeof release.result>();
  updater.answers = [answer.promise];
  const asked = updates.check();
  want(false);
  answer.resolve(release.result);
  await asked;
  await settled();
  expect(release.cancel).toHaveBeenCalledTimes(1);
  expect(updates.state().state).toBe('off');
});

it('stays off when what it asked fails, or is loaded, after it was switched off', async () => {
  const { updates, updater, want } = shell();
  const answer = Promise.withResolvers<Error>();
  updater.answers = [answer.promise];
  const asked = updates.check();
  want(false);
  answer.resolve(new Error('too late'));
  await asked;
  expect(updates.state().state).toBe('off');

  want(true);
  const release = aRelease('1.2.0');
  release.cancel.mockReturnValue(undefined);
  updater.answers = [release.result];
  await updates.check();
  want(false);
  release.download.resolve([]);
  await settled();
  expect(updates.state().state).toBe('off');
});

it('asks soon after it was switched on', async () => {
  const { updates, updater, want } = shell();
  await updates.check();
  want(false);
  want(true);
  await pass(MINUTE);
  expect(updater.asked).toBe(2);
});

const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code });

it.each([
  [new Error('net::ERR_INTERNET_DISCONNECTED'), 'could not be reached'],
  [coded('ENOTFOUND', 'getaddrinfo ENOTFOUND updates.example'), 'could not be reached'],
  [coded('HTTP_ERROR_404', '404 <html>'), 'no usable answer'],
  [coded('ERR_UPDATER_CHANNEL_FILE_NOT_FOUND'), 'no usable answer'],
  [coded('ERR_CHECKSUM_MISMATCH'), 'not what was published'],
  [coded('ERR_UPDATER_INVALID_SIGNATURE'), 'not what was published'],
  [new Error('net::ERR_CERT_AUTHORITY_INVALID'), 'could not prove who it is'],
  [coded('ENOSPC'), 'no room on the disk'],
  [coded('EACCES'), 'may not write'],
  [new Error('Could not get code signature for running application'), 'only programs that are'],
  [new Error('<script>'), 'the log says why'],
])('says in plain words what went wrong: %s', async (error, words) => {
  const { updates, updater, log } = shell();
  updater.answers = [error];
  await updates.check();
  expect(updates.state()).toMatchObject({ state: 'failed', version: null });
  expect(updates.state().detail).toContain(words);
  expect(log.lines).toHaveLength(1);
  await updates.check();
  expect(updates.state().state).toBe('current');
});

it('fails in the same way when loading does, or the updater itself cannot be had', async () => {
  const { updates, release } = await whileLoading();
  release.download.reject(coded('ENOSPC'));
  await settled();
  expect(updates.state()).toMatchObject({ state: 'failed', version: '1.2.0' });

  const broken = shell({ updater: () => Promise.reject(new Error('no such module')) });
  await broken.updates.check();
  expect(broken.updates.state().state).toBe('failed');
});

it('installs nothing before it is asked to, and only what is ready', async () => {
  const { updates, updater } = shell();
  updates.restart();
  const loading = await whileLoading();
  loading.updates.restart();
  await settled();
  expect(loading.updater.quitAndInstall).not.toHaveBeenCalled();
  expect(updater.quitAndInstall).not.toHaveBeenCalled();
});

it('lets the appliance close before it installs, once', async () => {
  const closed = Promise.withResolvers<undefined>();
  const failed = vi.fn();
  const { updates, updater } = await whenReady({
    installing: { before: () => closed.promise, failed },
  });
  updates.restart();
  updates.restart();
  await settled();
  expect(updater.quitAndInstall).not.toHaveBeenCalled();
  closed.resolve(undefined);
  await settled();
  expect(updater.quitAndInstall.mock.calls).toEqual([[true, true]]);
  expect(failed).not.toHaveBeenCalled();
});

it('says once why an installation does not come about', async () => {
  const failed = vi.fn();
  const installing = { before: () => Promise.resolve(), failed };
  const { updates, updater, log } = await whenReady({ installing });
  updater.quitAndInstall.mockImplementation(() => {
    updater.emit('error', coded('EACCES'));
    throw coded('EACCES');
  });
  updates.restart();
  await settled();
  expect(failed.mock.calls).toEqual([['Vedette may not write where the update belongs.']]);
  expect(updates.state()).toMatchObject({ state: 'failed', version: '1.2.0' });
  expect(log.lines).toEqual(['A new version is ready', 'The update did not succeed']);
});

it('installs nothing when the appliance cannot be closed', async () => {
  const failed = vi.fn();
  const installing = { before: () => Promise.reject(new Error('held')), failed };
  const { updates, updater } = await whenReady({ installing });
  updates.restart();
  await settled();
  expect(updater.quitAndInstall).not.toHaveBeenCalled();
  expect(failed).toHaveBeenCalledTimes(1);
});

it('tells at the next start why nothing was installed, and still when it is ready again', async () => {
  const { updates, updater, seen, preferences } = await whenReady({
    installing: {
      before: async () => updates.close(),
      failed: () => expect(preferences.current().not_installed).not.toBe(null),
    },
  });
  updater.quitAndInstall.mockImplementation(() => {
    throw coded('ENOSPC');
  });
  updates.restart();
  await settled();
  const why = 'There is no room on the disk for the update.';
  const notInstalled = { version: '1.2.0', why };
  expect(preferences.current().not_installed).toEqual(notInstalled);
  // What was there to show it is gone.
  expect(seen).toEqual(['checking', 'loading', 'ready']);

  const next = shell({ notInstalled });
  expect(next.updates.state()).toEqual({ state: 'failed', version: '1.2.0', detail: why });
  expect(next.preferences.current().not_installed).toBe(null);
  const again = await whenReady({ notInstalled });
  expect(again.updates.state().detail).toBe(`The last time: ${why}`);
});

it('is quiet once it is closed', async () => {
  const { updates, updater, seen, listeners, release } = await whileLoading();
  updates.close();
  await pass(24 * HOUR);
  await updates.check();
  expect(release.cancel).toHaveBeenCalledTimes(1);
  expect(updater.asked).toBe(1);
  expect(seen).toEqual(['checking', 'loading']);
  expect(listeners.size).toBe(0);
});
