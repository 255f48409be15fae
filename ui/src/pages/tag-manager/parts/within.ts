/** Where two short texts part, and where they come together again. */
export interface Within {
  start: string;
  before: string;
  after: string;
  end: string;
}

/** A word, or a whole character: half a word reads badly, and half an emoji is none. */
const PIECE = /[\p{L}\p{M}\p{N}_]+|[^]/gu;

export function compareWithin(before: string, after: string): Within {
  const [a, b] = [before.match(PIECE) ?? [], after.match(PIECE) ?? []];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return {
    start: a.slice(0, start).join(''),
    before: a.slice(start, a.length - end).join(''),
    after: b.slice(start, b.length - end).join(''),
    end: a.slice(a.length - end).join(''),
  };
}
