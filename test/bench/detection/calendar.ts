/** The month that is played: it has a Sunday on which the clocks go back. */
export const ZONE = 'Europe/Berlin';
export const DAYS = 30;
export const QUICK_DAYS = 10;
/** A seasonal baseline needs four weeks, and the first of them a day to lean on. */
export const HISTORY_DAYS = 29;

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const QUARTER = 15 * MINUTE;

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: ZONE,
  hourCycle: 'h23',
  ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' },
});
const offsets = new Map<number, number>();

/** What the wall clock is ahead of UTC; asking Intl takes long, so once an hour. */
function offsetAt(moment: number): number {
  const hour = Math.floor(moment / HOUR) * HOUR;
  const known = offsets.get(hour);
  if (known !== undefined) return known;
  const parts = Object.fromEntries(
    clock.formatToParts(hour).map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour', number>;
  const offset = Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour) - hour;
  offsets.set(hour, offset);
  return offset;
}

/** A time of the wall clock; day 0 is the 1st of October, a Thursday. */
export function at(day: number, hour = 0, minute = 0): number {
  const wall = Date.UTC(2026, 9, 1 + day, hour, minute);
  const guess = wall - offsetAt(wall);
  return wall - offsetAt(guess);
}

/** What the wall clock shows. */
export function wall(moment: number) {
  const shown = new Date(moment + offsetAt(moment));
  return {
    date: shown.toISOString().slice(5, 10),
    time: shown.toISOString().slice(11, 16),
    weekday: shown.getUTCDay(),
    /** With its minutes as a fraction. */
    hour: shown.getUTCHours() + shown.getUTCMinutes() / 60,
  };
}
