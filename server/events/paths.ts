/**
 * What takes the values at these paths out of an event's data: `list` reads all of them at once,
 * `values` are the expressions for each, as text, over that list under the name `found`. What is
 * missing and what is null are both NULL there.
 */
export function extraction(paths: readonly string[]): { list: string; values: string[] } {
  const pointers: string[] = [];
  const values = paths.map((path) => {
    const places = pointersTo(path).map((pointer) => `found[${pointers.push(quoted(pointer))}]`);
    return places.length === 1 ? (places[0] ?? '') : `coalesce(${places.join(', ')})`;
  });
  return { list: `json_extract_string(data, [${pointers.join(', ')}])`, values };
}

/** Where to look for a path, one place after the other: the key as it is written comes first. */
export function pointersTo(path: string): string[] {
  return [...new Set([pointerTo([path]), pointerTo(path.split('.'))])];
}

/** A JSON pointer, which finds keys and places in lists alike. */
function pointerTo(steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Paths have no control characters; see the schema of rules. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
