import type { Tenant } from '$server/tenants/schema.ts';
import { count, plural } from '../../../lib/words.ts';

/** In characters; the server refuses more. */
export const MAX_NAME = 100;

/** What is wrong with a name for a tenant; of two with the same nobody could tell which is which. */
export function nameFault(
  name: string,
  tenants: readonly Tenant[],
  own?: string,
): string | undefined {
  const text = name.trim();
  const over = text.length - MAX_NAME;
  if (over > 0) return `${plural(over, 'character')} too many: at most ${count(MAX_NAME)}`;
  const isTaken = tenants.some(({ id, name: taken }) => id !== own && same(taken, text));
  return isTaken ? 'There is one of this name already' : undefined;
}

const same = (one: string, other: string) =>
  one.trim().normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();
