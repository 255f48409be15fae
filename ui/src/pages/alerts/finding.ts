import type { TimeRange } from '$server/http/schema.ts';
import { clock, day, plural } from '../../lib/words.ts';

const WORDS: Record<TimeRange, string> = {
  '1h': 'in the last hour',
  '24h': 'in 24 hours',
  '7d': 'in 7 days',
  '30d': 'in 30 days',
};

/** 7 alerts in 7 days, most on Tue 17 Nov */
export function activityFinding(
  points: readonly { at: number; count: number }[],
  range: TimeRange,
): string {
  const total = points.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return `No alerts ${WORDS[range]}`;
  const words = `${plural(total, 'alert')} ${WORDS[range]}`;
  if (range === '1h') return words;
  const place = range === '24h' ? 'between' : 'on';
  const nameOf = range === '24h' ? hourOf : day;
  const sums = new Map<string, number>();
  for (const { at, count } of points) {
    if (count > 0) sums.set(nameOf(at), (sums.get(nameOf(at)) ?? 0) + count);
  }
  const [first, second] = [...sums].sort(([, a], [, b]) => b - a);
  if (!first) return words;
  if (!second) return `${words}, ${total === 1 ? '' : 'all '}${place} ${first[0]}`;
  // No peak where two are as high.
  return first[1] === second[1] ? words : `${words}, most ${place} ${first[0]}`;
}

/** 14:00 and 15:00 */
function hourOf(at: number): string {
  const start = new Date(at).setMinutes(0, 0, 0);
  return `${clock(start)} and ${clock(start + 3_600_000)}`;
}
