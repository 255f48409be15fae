import { describe, expect, it } from 'vitest';
import { bridgeWords } from '../../ui/src/lib/bridge-words.ts';
import { inAnHour, isPaused, pauseWords, tomorrowMorning } from '../../ui/src/lib/pausing.ts';
import { updateWords } from '../../ui/src/pages/settings/desktop/updates.ts';

// A Friday, and the time of this machine.
const NOW = new Date(2026, 10, 20, 14, 20).getTime();
const at = (...time: [day: number, hour: number, minute?: number]) =>
  new Date(2026, 10, ...time).toISOString();

describe('an error of the shell', () => {
  it('is told in its own words, without what Electron puts around them', () => {
    const wrapped = "Error invoking remote method 'desktop:change': Error: The disk is full";
    expect(bridgeWords(new Error(wrapped))).toBe('The disk is full.');
    expect(bridgeWords(new TypeError("Error invoking remote method 'a': TypeError: Why?"))).toBe(
      'Why?',
    );
    expect(bridgeWords(new Error('Error: Not yet.'))).toBe('Not yet.');
    expect(bridgeWords(new Error('Errors: 3'))).toBe('Errors: 3.');
  });

  it('has words even where it brought none', () => {
    for (const error of [new Error(''), undefined, { code: 3 }, new Error('Error: ')]) {
      expect(bridgeWords(error)).toMatch(/did not say why\.$/);
    }
  });
});

describe('a pause', () => {
  it('ends an hour on, or at eight in the morning of the next day', () => {
    expect(inAnHour(NOW)).toBe(at(20, 15, 20));
    expect(tomorrowMorning(NOW)).toBe(at(21, 8));
    expect(tomorrowMorning(new Date(2026, 10, 30, 23, 59).getTime())).toBe(at(31, 8));
  });

  it('is over when its time has come', () => {
    expect(isPaused(null, NOW)).toBe(false);
    expect(isPaused('always', NOW)).toBe(true);
    expect(isPaused(at(20, 14, 21), NOW)).toBe(true);
    expect(isPaused(at(20, 14, 20), NOW)).toBe(false);
  });

  it('is told by when it ends', () => {
    expect(pauseWords(at(20, 15, 20), NOW)).toBe('until 15:20');
    expect(pauseWords(at(21, 8), NOW)).toBe('until tomorrow 08:00');
    expect(pauseWords(at(23, 8), NOW)).toBe('until Mon 23 Nov 08:00');
    expect(pauseWords('always', NOW)).toBe('until you switch them on again');
  });
});

describe('an update', () => {
  const words = (state: Parameters<typeof updateWords>[0]['update']['state'], next?: string) =>
    updateWords({ version: '0.1.0', update: { state, version: next ?? null, detail: null } });

  it('has words for every state, and a mark that fits', () => {
    expect(words('off').text).toBe('Vedette does not look for new versions.');
    expect(words('unavailable').text).toBe('This copy of Vedette cannot update itself.');
    expect(words('unasked').text).toBe('Vedette has not looked for a new version yet.');
    expect(words('current')).toMatchObject({ text: 'Version 0.1.0 is the newest.' });
    expect(words('checking')).toMatchObject({ mark: 'waiting' });
    expect(words('loading', '0.2.0').text).toBe('Version 0.2.0 is being loaded …');
    expect(words('ready', '0.2.0').text).toBe('Version 0.2.0 is ready to be put in place.');
    expect(words('failed')).toMatchObject({ mark: 'warning' });
    expect(words('failed', '0.2.0').text).toBe('The update to version 0.2.0 failed.');
  });

  it('that does not say its version is a new one', () => {
    expect(words('ready').text).toMatch(/^A new version is ready/);
  });
});
