/** Two texts compared line by line, so that a person sees what a change does to a long one. */

export interface Line {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** A run of lines that is shown, or that is folded away since nothing happens in it. */
export interface Part {
  isFolded: boolean;
  lines: Line[];
}

/** Comparing takes the product of both lengths; beyond this, a second or more. */
const MOST_STEPS = 20_000_000;
/** How many unchanged lines stay around a change, to see where it is. */
const CONTEXT = 3;

/** What is the same or added makes the text after, what is the same or removed the one before. */
export function compareLines(before: string, after: string): Line[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const [a, b] = numbered(old, fresh);
  const kept = keptIn(a, b);
  const lines: Line[] = [];
  let at = 0;
  for (let i = 0; i < old.length; i += 1) {
    const partner = kept[i] ?? -1;
    if (partner < 0) {
      lines.push({ kind: 'removed', text: old[i] ?? '' });
      continue;
    }
    for (; at < partner; at += 1) lines.push({ kind: 'added', text: fresh[at] ?? '' });
    lines.push({ kind: 'same', text: fresh[at] ?? '' });
    at += 1;
  }
  for (; at < fresh.length; at += 1) lines.push({ kind: 'added', text: fresh[at] ?? '' });
  return lines;
}

/** Folds what is far from any change; a fold of a single line would only hide it. */
export function folded(lines: readonly Line[]): Part[] {
  const isNear = new Uint8Array(lines.length);
  lines.forEach(({ kind }, i) => {
    if (kind !== 'same') isNear.fill(1, Math.max(0, i - CONTEXT), i + CONTEXT + 1);
  });
  const parts: Part[] = [];
  for (let from = 0; from < lines.length;) {
    let to = from + 1;
    while (to < lines.length && isNear[to] === isNear[from]) to += 1;
    const isFolded = isNear[from] === 0 && to - from > 1;
    const last = parts.at(-1);
    if (last && !last.isFolded && !isFolded) last.lines.push(...lines.slice(from, to));
    else parts.push({ isFolded, lines: lines.slice(from, to) });
    from = to;
  }
  return parts;
}

/** Each different line has a number: numbers compare faster than texts. */
function numbered(...texts: [string[], string[]]): [Int32Array, Int32Array] {
  const known = new Map<string, number>();
  const numbersOf = (lines: string[]) =>
    Int32Array.from(lines, (line) => {
      const number = known.get(line) ?? known.size;
      known.set(line, number);
      return number;
    });
  return [numbersOf(texts[0]), numbersOf(texts[1])];
}

/** For each line of the first, its place in the second where it is kept, else -1. */
function keptIn(a: Int32Array, b: Int32Array): Int32Array {
  const kept = new Int32Array(a.length).fill(-1);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) {
    kept[start] = start;
    start += 1;
  }
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
    kept[endA] = endB;
  }
  // What differs so much is shown as replaced as a whole.
  if ((endA - start) * (endB - start) <= MOST_STEPS) {
    keepMost(a.subarray(start, endA), b.subarray(start, endB), start, start, kept);
  }
  return kept;
}

/**
 * Keeps as many lines as can be kept (Hirschberg's way: halves the first text, finds where the
 * second is best cut for that, and goes on in both halves), in room for two rows of the table.
 */
function keepMost(a: Int32Array, b: Int32Array, fromA: number, fromB: number, kept: Int32Array) {
  if (a.length === 0 || b.length === 0) return;
  if (a.length === 1) {
    const found = b.indexOf(a[0] ?? -1);
    if (found >= 0) kept[fromA] = fromB + found;
    return;
  }
  const middle = a.length >> 1;
  const cut = bestCut(a.subarray(0, middle), a.subarray(middle), b);
  keepMost(a.subarray(0, middle), b.subarray(0, cut), fromA, fromB, kept);
  keepMost(a.subarray(middle), b.subarray(cut), fromA + middle, fromB + cut, kept);
}

function bestCut(head: Int32Array, tail: Int32Array, b: Int32Array): number {
  const before = lengths(head, b);
  const after = lengths(tail.toReversed(), b.toReversed());
  const sumAt = (cut: number) => (before[cut] ?? 0) + (after[b.length - cut] ?? 0);
  let best = 0;
  for (let cut = 1; cut <= b.length; cut += 1) if (sumAt(cut) > sumAt(best)) best = cut;
  return best;
}

/** How many lines of `a` can be kept in the first 0, 1, 2, … lines of `b`. */
function lengths(a: Int32Array, b: Int32Array): Int32Array {
  let [row, next] = [new Int32Array(b.length + 1), new Int32Array(b.length + 1)];
  for (const line of a) {
    for (let j = 0; j < b.length; j += 1) {
      next[j + 1] = line === b[j] ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0);
    }
    [row, next] = [next, row];
  }
  return row;
}
