/** A length of time as people write it: a number and a unit. */
export interface Length {
  amount: number | null | undefined;
  unit: Unit;
}

export type Unit = 'minutes' | 'hours' | 'days';

const MINUTES: Record<Unit, number> = { minutes: 1, hours: 60, days: 1440 };

/** In the largest unit that it is a whole number of, so that it comes back exactly. */
export function lengthOf(minutes: number, smallest: Unit = 'minutes'): Length {
  for (const unit of ['days', 'hours', 'minutes'] as const) {
    if (unit === smallest) return { amount: minutes / MINUTES[unit], unit };
    if (minutes % MINUTES[unit] === 0) return { amount: minutes / MINUTES[unit], unit };
  }
  return { amount: minutes, unit: 'minutes' };
}

export function minutesOf({ amount, unit }: Length): number | null {
  return amount === null || amount === undefined ? null : amount * MINUTES[unit];
}
