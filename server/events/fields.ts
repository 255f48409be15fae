import { inTurns } from '../platform/turns.ts';
import type { FieldEntry } from './schema.ts';

const MAX_DEPTH = 5;
const MAX_FIELDS = 300;
/** Keys made of ids could be millions; who has so many has no catalogue. */
const MAX_KNOWN = 20_000;
/** Rules take no longer ones. */
const MAX_PATH = 500;
const MAX_EXAMPLES = 3;
const EXAMPLE_CHARS = 60;

type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array';

/** What one event has at one place. */
interface Seen {
  path: string;
  inList: boolean;
  kinds: Set<Kind>;
  examples: Set<string>;
}

/**
 * Which fields the events have, the commonest first. Each text is an event's data, which is
 * looked at by itself, so that a field counts once for it however often a list repeats it.
 */
export async function fieldsOf(texts: readonly string[]): Promise<FieldEntry[]> {
  const known = new Map<string, FieldEntry>();
  await inTurns(texts, (text) => {
    const seen = look(JSON.parse(text) as object);
    for (const [name, one] of seen) {
      const entry = known.get(name) ?? newEntry(one);
      if (!known.has(name)) {
        if (known.size >= MAX_KNOWN) continue;
        known.set(name, entry);
      }
      add(entry, one);
    }
  });
  return [...known.values()].sort(byFrequency).slice(0, MAX_FIELDS);
}

function newEntry({ path, inList }: Seen): FieldEntry {
  return { path, in_list: inList, filled: 0, null: 0, types: {}, examples: [] };
}

function add(entry: FieldEntry, { kinds, examples }: Seen): void {
  if (kinds.size === 0) entry.null++;
  else entry.filled++;
  for (const kind of kinds) entry.types[kind] = (entry.types[kind] ?? 0) + 1;
  for (const example of examples) {
    if (entry.examples.length >= MAX_EXAMPLES) break;
    if (!entry.examples.includes(example)) entry.examples.push(example);
  }
}

function byFrequency(a: FieldEntry, b: FieldEntry): number {
  if (a.filled !== b.filled) return b.filled - a.filled;
  if (a.null !== b.null) return b.null - a.null;
  return a.path < b.path ? -1 : a.path > b.path ? 1 : Number(a.in_list) - Number(b.in_list);
}

/** Everything in one event that a rule could name, and what lies in its lists. */
function look(data: object): Map<string, Seen> {
  const seen = new Map<string, Seen>();

  function note(path: string, inList: boolean, value: unknown): void {
    // No path has this character, so nothing else is called so.
    const name = inList ? `\0${path}` : path;
    let one = seen.get(name);
    if (!one) {
      if (seen.size >= MAX_KNOWN) return;
      one = { path, inList, kinds: new Set(), examples: new Set() };
      seen.set(name, one);
    }
    const kind = kindOf(value);
    if (kind === undefined) return;
    one.kinds.add(kind);
    if (kind === 'object' || kind === 'array' || one.examples.size >= MAX_EXAMPLES) return;
    one.examples.add(shortText(value));
  }

  function walk(value: unknown, path: string, inList: boolean, depth: number): void {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
    if (Array.isArray(value)) {
      for (const entry of value) {
        // Objects count a level for each of their keys; a list directly in a list is one too.
        walk(entry, `${path}[]`, true, depth + Number(Array.isArray(entry)));
      }
      return;
    }
    for (const key of Object.keys(value)) {
      // A rule's path goes along dots, so it would not come to a key within that has one.
      if (path.length + key.length >= MAX_PATH || key.includes('.') || isUnruly(key)) continue;
      const inner = (value as Record<string, unknown>)[key];
      const place = `${path}.${key}`;
      // The literal key came first.
      if (inList || !seen.get(place)?.kinds.size) note(place, inList, inner);
      walk(inner, place, inList, depth + 1);
    }
  }

  for (const [key, value] of Object.entries(data)) {
    if (key === '' || key.length > MAX_PATH || isUnruly(key)) continue;
    if (key.includes('.')) note(key, false, value);
  }
  for (const [key, value] of Object.entries(data)) {
    if (key === '' || key.length > MAX_PATH || isUnruly(key) || key.includes('.')) continue;
    note(key, false, value);
    walk(value, key, false, 2);
  }
  return seen;
}

/** No rule may name a key with control characters. */
const isUnruly = (key: string) => /[\0-\x1f]/.test(key);

function kindOf(value: unknown): Kind | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return 'array';
  return typeof value as Kind;
}

function shortText(value: unknown): string {
  const text = typeof value === 'string' ? value.slice(0, EXAMPLE_CHARS) : String(value);
  // Not half of a letter.
  return text.isWellFormed() ? text : text.slice(0, -1);
}
