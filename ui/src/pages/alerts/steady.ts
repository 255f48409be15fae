/**
 * The rows in the order in which they were last looked at, and those that came since apart: what
 * one is about to click must not move away.
 */
export function steady<Row extends { key: string }>(
  rows: readonly Row[],
  held: readonly string[] | undefined,
): { shown: readonly Row[]; fresh: readonly Row[] } {
  if (!held) return { shown: rows, fresh: [] };
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const shown = held.flatMap((key) => byKey.get(key) ?? []);
  const known = new Set(held);
  return { shown, fresh: rows.filter(({ key }) => !known.has(key)) };
}
