/** A length of time as people write it: a number and a unit. */
export interface Length {
  amount: number | null | undefined;
  unit: Unit;
}

export type Unit = 'minutes' | 'hours' | 'days';

const MINUTES: Record<Unit, number> = { minutes: 1, hours: 60, days: 1440 };

/** In the largest unit that it is a whole number of, so that it comes back exactly. */
export function ofMinutes(minutes: number): Length {
  if (minutes % 1440 === 0) return { amount: minutes / 1440, unit: 'days' };
  if (minutes % 60 === 0) return { amount: minutes / 60, unit: 'hours' };
  return { amount: minutes, unit: 'minutes' };
}

export function ofHours(hours: number): Length {
  return hours % 24 === 0 ? { amount: hours / 24, unit: 'days' } : { amount: hours, unit: 'hours' };
}

export function minutesOf({ amount, unit }: Length): number | null {
  return amount === null || amount === undefined ? null : amount * MINUTES[unit];
}

/** Never by way of minutes, where a third of an hour would not come back as it was. */
export function hoursOf({ amount, unit }: Length): number | null {
  if (amount === null || amount === undefined) return null;
  return unit === 'minutes' ? amount / 60 : amount * (MINUTES[unit] / 60);
}
