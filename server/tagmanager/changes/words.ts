import type { Kind } from '../api/schema.ts';
import type { ChangeAction } from './schema.ts';

interface Named {
  kind: Kind;
  name: string;
}

/** 'trigger "All events"'. */
export function called({ kind, name }: Named): string {
  return `${kind} "${name}"`;
}

const VERBS: Record<ChangeAction, string> = {
  create: 'Create',
  update: 'Update',
  delete: 'Delete',
};

const PAST: Record<ChangeAction, string> = {
  create: 'Created',
  update: 'Updated',
  delete: 'Deleted',
};

export function toDo(change: Named & { action: ChangeAction }): string {
  return `${VERBS[change.action]} ${called(change)}`;
}

export function done(change: Named & { action: ChangeAction }): string {
  return `${PAST[change.action]} ${called(change)}`;
}

/** '1 change', '2 changes'. */
export function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Who does what nobody asked for. */
export const BY_ITSELF = 'Vedette';

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What became of the rest of a batch that was taken back. */
export function keptWords({ steps, changes }: KeptOf): string {
  const left = steps.filter(({ state }) => state === 'left');
  const names = left.flatMap(({ change }) => changes.get(change) ?? []).map(toDo);
  if (names.length > 0) return `Not all of the batch could be taken back: ${names.join(', ')}.`;
  const isAny = steps.some(({ state }) => state === 'undone');
  return isAny ? problemWords.putBack : problemWords.nothingWritten;
}

interface KeptOf {
  steps: readonly { change: string; state: string }[];
  changes: ReadonlyMap<string, Named & { action: ChangeAction }>;
}

export const problemWords = {
  gone: 'It is no longer there.',
  changed: 'Somebody else changed it meanwhile.',
  nameTaken: 'Another object has this name by now.',
  putBack: 'Nothing of the batch was kept: what had been written was taken back.',
  found: 'was found after an interruption, and may be somebody else’s, so it was left.',
  perhapsOurs: 'It may hold what Vedette wrote, which was never answered; it was left as it is.',
  stays: 'It was written, and stays.',
  unknown: 'It may have been written: look at it in the tag manager.',
  nothingWritten: 'Nothing was written.',
  interrupted: 'Writing it was interrupted: go on with it.',
} as const;
