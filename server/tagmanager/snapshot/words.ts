const NUMBER = new Intl.NumberFormat('en');

/** '1 event', '1,284 events' */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${NUMBER.format(count)} ${count === 1 ? one : many}`;

export const quoted = (name: string): string => `"${name}"`;

/** 'a', 'a and b', 'a, b and c' */
export function joined(all: readonly string[]): string {
  const last = all.at(-1) ?? '';
  return all.length < 2 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** '3 hours ago' */
export function ago(then: number, now: number): string {
  for (const [unit, ms] of UNITS) {
    const count = Math.floor((now - then) / ms);
    if (count >= 1) return `${counted(count, unit)} ago`;
  }
  return 'just now';
}
