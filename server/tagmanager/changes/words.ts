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

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a text of the database can hold of what somebody else said. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

export const problemWords = {
  gone: 'It is no longer there.',
  changed: 'Somebody else changed it meanwhile.',
  nameTaken: 'Another object has this name by now.',
  putBack: 'Nothing of the batch was kept: what had been written was taken back.',
  stays: 'It was written, and stays.',
  unknown: 'It may have been written: look at it in the tag manager.',
  nothingWritten: 'Nothing was written.',
  interrupted: 'Writing it was interrupted: go on with it.',
} as const;
