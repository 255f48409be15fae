import type { DesktopView } from '$electron/schema.ts';
import { moment } from './words.ts';

type PausedUntil = DesktopView['paused_until'];

const HOUR_MS = 3_600_000;
const MORNING = 8;

export const inAnHour = (now: number): string => new Date(now + HOUR_MS).toISOString();

/** By the calendar rather than by 24 hours, which a day in spring and one in autumn do not have. */
export function tomorrowMorning(now: number): string {
  const at = new Date(now);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1, MORNING).toISOString();
}

export function isPaused(until: PausedUntil, now: number): boolean {
  return until === 'always' || (until !== null && Date.parse(until) > now);
}

/** until 15:20, until tomorrow 08:00, until you switch them on again */
export function pauseWords(until: NonNullable<PausedUntil>, now: number): string {
  return until === 'always'
    ? 'until you switch them on again'
    : `until ${moment(Date.parse(until), now)}`;
}
