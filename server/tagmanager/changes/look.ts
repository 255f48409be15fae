import { fingerprintOf, idOf, nameOf } from '../api/api.ts';
import { kinds } from '../api/schema.ts';
import type { Definition } from '../api/schema.ts';
import { isSameName } from './likeness.ts';
import type { Site } from './site.ts';
import type { Change } from './store.ts';
import { problemWords } from './words.ts';

export interface Clash {
  change: Change;
  current: Definition | null;
  words: string;
}

type Looking = Pick<Site, 'get' | 'list'>;

/** A list is one request for many objects; a few are cheaper one by one. */
const FEW = 2;

/** How many requests looking at these takes, if each list has one page. */
export function looksFor(changes: readonly Change[]): number {
  return kinds.reduce((sum, kind) => {
    const own = changes.filter((change) => change.kind === kind);
    return sum + (isListed(own) ? 1 : own.length);
  }, 0);
}

/** What is not as it was when the changes were proposed. Nothing is written. */
export async function clashesOf(changes: readonly Change[], site: Looking): Promise<Clash[]> {
  const clashes: Clash[] = [];
  for (const kind of kinds) {
    const own = changes.filter((change) => change.kind === kind);
    const listed = isListed(own) ? await site.list(kind) : undefined;
    for (const change of own) {
      const clash = listed
        ? clashAmong(change, listed)
        : clashWith(change, await site.get(kind, change.objectId ?? ''));
      if (clash !== undefined) clashes.push(clash);
    }
  }
  return clashes;
}

function isListed(own: readonly Change[]): boolean {
  return own.length > FEW || own.some(({ action }) => action === 'create');
}

function clashAmong(change: Change, objects: readonly Definition[]): Clash | undefined {
  const { kind, action, objectId, name } = change;
  if (action !== 'create') {
    return clashWith(change, objects.find((object) => idOf(kind, object) === objectId) ?? null);
  }
  const current = objects.find((object) => isSameName(nameOf(object), name));
  return current && { change, current, words: problemWords.nameTaken };
}

function clashWith(change: Change, current: Definition | null): Clash | undefined {
  if (current === null) return { change, current, words: problemWords.gone };
  return isUntouched(change, current)
    ? undefined
    : { change, current, words: problemWords.changed };
}

export function isUntouched({ before }: Change, current: Definition): boolean {
  return before !== null && fingerprintOf(before) === fingerprintOf(current);
}
