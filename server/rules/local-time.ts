/**
 * Moments as a wall clock shows them. People shop by the clock, so "the same time last week" must
 * follow it over a change of daylight saving.
 */
const DAY = 86_400_000;

export function createLocalTime(zone: string) {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  /** For each day the offset at its start, or none if the offset changes on that day. */
  const offsets = new Map<number, number | undefined>();

  function measured(moment: number): number {
    const second = Math.floor(moment / 1000) * 1000;
    const parts = Object.fromEntries(
      clock.formatToParts(second).map(({ type, value }) => [type, Number(value)]),
    ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;
    const { year, month, day, hour, minute, second: s } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, s) - second;
  }

  /** What the wall clock is ahead of UTC. Asking Intl takes long, and a day rarely has two offsets. */
  function offsetAt(moment: number): number {
    const day = Math.floor(moment / DAY);
    if (!offsets.has(day)) {
      if (offsets.size > 2000) offsets.clear();
      const [start, end] = [measured(day * DAY), measured((day + 1) * DAY)];
      offsets.set(day, start === end ? start : undefined);
    }
    return offsets.get(day) ?? measured(moment);
  }

  return {
    /** The same time by the wall clock; one that the clock skips lies as far behind the skip. */
    daysBefore(moment: number, days: number): number {
      const offset = offsetAt(moment);
      const wall = moment + offset - days * DAY;
      return wall - offsetAt(wall - offset);
    },

    /** `07:12`, with the date in front unless it is that of `today`. */
    text(moment: number, today: number): string {
      const shown = (time: number) => new Date(time + offsetAt(time)).toISOString();
      const [date = '', time = ''] = shown(moment).split('T');
      const short = time.slice(0, 5);
      return shown(today).startsWith(date) ? short : `${date} ${short}`;
    },
  };
}

export type LocalTime = ReturnType<typeof createLocalTime>;
