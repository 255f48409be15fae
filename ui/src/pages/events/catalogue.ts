import type { EventCount, FieldEntry } from '$server/events/schema.ts';
import { hasType } from '$lib/names.ts';

export interface TypeEntry {
  type: string;
  /** null: others, together. */
  sources: { source: string | null; count: number }[];
  count: number;
  first: number;
  last: number;
}

/** Pairs of source and type, put together by type, the busiest first. */
export function typesOf(counts: readonly EventCount[], source: string): TypeEntry[] {
  const types = new Map<string, TypeEntry>();
  for (const entry of counts.filter(hasType)) {
    if (source !== '' && entry.source !== source) continue;
    const [first, last] = [Date.parse(entry.first_seen), Date.parse(entry.last_seen)];
    const type = entry.event_type;
    const known = types.get(type) ?? { type, sources: [], count: 0, first, last };
    known.sources.push({ source: entry.source, count: entry.count });
    known.count += entry.count;
    known.first = Math.min(known.first, first);
    known.last = Math.max(known.last, last);
    types.set(type, known);
  }
  return [...types.values()].sort((one, other) => other.count - one.count || other.last - one.last);
}

export interface Kinds {
  /** More than one: senders disagree about what it is. */
  isMixed: boolean;
  words: string;
}

/** 'number', or 'number 98 %, string 2 %' where events do not agree. */
export function kindsOf({ types }: Pick<FieldEntry, 'types'>): Kinds {
  const kinds = Object.entries(types)
    .filter((entry): entry is [string, number] => (entry[1] ?? 0) > 0)
    .sort(([, one], [, other]) => other - one);
  const sum = kinds.reduce((all, [, count]) => all + count, 0);
  if (kinds.length === 0) return { isMixed: false, words: 'only null' };
  if (kinds.length === 1) return { isMixed: false, words: kinds[0]?.[0] ?? '' };
  return {
    isMixed: true,
    words: kinds.map(([kind, count]) => `${kind} ${percent(count, sum)}`).join(', '),
  };
}

/** Never rounded up to all or down to none. */
export function percent(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0 %';
  if (part === whole) return '100 %';
  const share = (part / whole) * 100;
  if (share < 1) return 'under 1 %';
  return `${Math.min(99, Math.round(share))} %`;
}
