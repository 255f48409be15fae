import type { EventCount, EventFields } from '$server/events/schema.ts';
import { hasType } from '$lib/names.ts';

interface SeenType {
  type: string;
  events: number;
  sources: number;
}

/** Each type with what was seen of it from all sources, the commonest first. */
export function seenTypes(counts: readonly EventCount[]): SeenType[] {
  const types = new Map<string, SeenType>();
  for (const { event_type: type, count } of counts.filter(hasType)) {
    const known = types.get(type) ?? { type, events: 0, sources: 0 };
    known.events += count;
    known.sources += 1;
    types.set(type, known);
  }
  return [...types.values()].sort((a, b) => b.events - a.events);
}

type Field = EventFields['fields'][number];

export interface Suggested {
  value: string;
  note: string;
}

/** What rules can name: nothing inside of a list has a path of its own. */
function nameable({ fields }: EventFields): Field[] {
  return fields.filter(({ in_list: isInList }) => !isInList);
}

/** 98% filled, beside each path. */
export function fieldOptions(seen: EventFields | undefined): Suggested[] {
  if (!seen) return [];
  return nameable(seen).map(({ path, filled }) => ({ value: path, note: rate(filled, seen) }));
}

/** For sums and the like only what has been a number, or a number written as text. */
export function numberOptions(seen: EventFields | undefined): Suggested[] {
  if (!seen) return [];
  return nameable(seen)
    .filter(({ types, examples }) => types.number || (types.string && examples.some(isNumeric)))
    .map((field) => ({
      value: field.path,
      note: field.examples[0] ? `such as ${brief(field.examples[0])}` : rate(field.filled, seen),
    }));
}

/** What can be told apart; objects as a whole hardly ever can. */
export function valueOptions(seen: EventFields | undefined): Suggested[] {
  if (!seen) return [];
  return nameable(seen)
    .filter(({ types }) => types.string || types.number || types.boolean)
    .map(({ path, filled }) => ({ value: path, note: rate(filled, seen) }));
}

function rate(filled: number, { sampled }: EventFields): string {
  if (sampled === 0) return '';
  const percent = (filled / sampled) * 100;
  if (percent > 99 && percent < 100) return 'over 99% filled';
  return percent > 0 && percent < 1 ? 'under 1% filled' : `${Math.round(percent)}% filled`;
}

const isNumeric = (text: string) => /^"?\s*-?\d+(\.\d+)?\s*"?$/.test(text);
const brief = (text: string) => (text.length > 16 ? `${text.slice(0, 15)}…` : text);
