/** Where two short texts part, and where they come together again. */
export interface Within {
  start: string;
  before: string;
  after: string;
  end: string;
}

export function compareWithin(before: string, after: string): Within {
  // By whole characters: half an emoji is none.
  const [a, b] = [Array.from(before), Array.from(after)];
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
