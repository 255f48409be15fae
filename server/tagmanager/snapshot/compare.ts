import { inTurns } from '../../platform/turns.ts';
import { idOf, nameOf } from '../api/api.ts';
import type { Definition, Kind } from '../api/schema.ts';
import { differenceOf } from './difference.ts';
import type { Objects } from './ours.ts';
import { byName, namesIn } from './references.ts';
import type { FieldDifference, ObjectDifference } from './schema.ts';
import type { Names } from './type-words.ts';

const ORDER: readonly Kind[] = ['tag', 'trigger', 'variable', 'template'];

/** Longer texts of the settings are cut, and the list of all settings ends somewhere. */
const LONGEST_TEXT = 20_000;
const MOST_TEXT = 2_000_000;

/** An API key has up to 200 signs, each written in up to six, as in \u002d. */
const LONGEST_KEY = 1_200;

/** What changed from one snapshot of a container to the next. */
export async function changesBetween(before: Objects, after: Objects): Promise<ObjectDifference[]> {
  const [old, current] = [namesIn(before), namesIn(after)];
  // What was removed has its name from before.
  const names: Names = (kind, id) => current(kind, id) ?? old(kind, id);
  const pairs = ORDER.flatMap((kind) => pairsOf(kind, before[kind], after[kind]));
  const changes = await inTurns(pairs, (pair) => changeOf(pair, names));
  return bounded(changes.filter((change) => change !== undefined).sort(byKindAndName));
}

const byKindAndName = (a: ObjectDifference, b: ObjectDifference) =>
  ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || byName(a, b);

interface Pair {
  kind: Kind;
  id: string;
  name: string;
  before: Definition | null;
  after: Definition | null;
}

function pairsOf(kind: Kind, before: readonly Definition[], after: readonly Definition[]): Pair[] {
  const left = new Map(before.map((object) => [idOf(kind, object), object]));
  const pairs: Pair[] = after.map((object) => {
    const id = idOf(kind, object);
    const old = left.get(id) ?? null;
    left.delete(id);
    return { kind, id, name: nameOf(object), before: old, after: object };
  });
  for (const [id, object] of left) {
    pairs.push({ kind, id, name: nameOf(object), before: object, after: null });
  }
  return pairs;
}

function changeOf({ kind, id, name, before, after }: Pair, names: Names) {
  const fields = differenceOf(kind, before, after, names);
  if (before && after && fields.length === 0) return undefined;
  const change = !before ? 'added' : !after ? 'removed' : 'changed';
  return { change, kind, id, name, fields } as const;
}

function bounded(changes: readonly ObjectDifference[]): ObjectDifference[] {
  let room = MOST_TEXT;
  return changes.map((change) => {
    const fields = change.fields.map(shortened);
    room -= fields.reduce((sum, one) => sum + lengthOf(one.before) + lengthOf(one.after), 0);
    return { ...change, fields: room < 0 ? [] : fields };
  });
}

const lengthOf = (text: string | null) => text?.length ?? 0;

/** Of long texts the part that differs, with a little of what goes before it. */
function shortened({ field, before, after }: FieldDifference): FieldDifference {
  const start = Math.max(0, alikeUpTo(before ?? '', after ?? '') - LONGEST_TEXT / 4);
  return { field, before: cut(before, start), after: cut(after, start) };
}

function alikeUpTo(a: string, b: string): number {
  let i = 0;
  while (i < a.length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return i;
}

/** What a cut leaves of a key is not known as one any more, so no word is left that may be that. */
function cut(text: string | null, about: number): string | null {
  if (text === null || text.length <= LONGEST_TEXT) return text;
  const isWord = (i: number) => /\S/.test(text.charAt(i));
  let start = about;
  let end = Math.min(about + LONGEST_TEXT, text.length);
  if (about > 0) while (start < about + LONGEST_KEY && isWord(start)) start++;
  const last = end - LONGEST_KEY;
  if (end < text.length) while (end > last && isWord(end - 1)) end--;
  const left = text.length - end;
  return [
    ...(start > 0 ? [`(${start} characters that are alike)`] : []),
    text.slice(start, end),
    ...(left > 0 ? [`(${left} more characters)`] : []),
  ].join('\n');
}
