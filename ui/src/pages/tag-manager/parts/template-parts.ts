import type { FieldDifference } from '$server/tagmanager/snapshot/schema.ts';
import { listed, plural } from '../../../lib/words.ts';

/** What of a template is looked at as a whole, or not at all: hundreds of lines each. */
const LONG = new Set(['Terms of service', 'Info', 'Fields', 'Code', 'Permissions', 'Tests']);

export const isLongPart = ({ field }: FieldDifference): boolean => LONG.has(field);

/** '7 fields, 7 permissions, 326 lines of code and 45 tests': what is in the long parts. */
export function templateWords(fields: readonly FieldDifference[]): string {
  const textOf = (name: string) => {
    const found = fields.find(({ field }) => field === name);
    return (found?.after ?? found?.before ?? '').trim();
  };
  const code = textOf('Code');
  const counted: [number, string, string?][] = [
    [entriesIn(textOf('Fields')), 'field'],
    [entriesIn(textOf('Permissions')), 'permission'],
    [code === '' ? 0 : code.split('\n').length, 'line of code', 'lines of code'],
    [textOf('Tests').match(/^- name:/gm)?.length ?? 0, 'test'],
  ];
  const parts = counted.flatMap(([count, one, many]) =>
    count === 0 ? [] : [plural(count, one, many)],
  );
  return parts.length === 0 ? plural(fields.filter(isLongPart).length, 'part') : listed(parts);
}

function entriesIn(text: string): number {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.length : 0;
  } catch {
    // Somebody else's template may hold anything.
    return 0;
  }
}
