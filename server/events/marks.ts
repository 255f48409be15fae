import { add } from './sums.ts';

/** From `from` up to, but not with, `to`. */
export interface Window {
  from: number;
  to: number;
}

export interface Segment extends Window {
  index: number;
}

export type Marks = ReturnType<typeof createMarks>;

const MINUTE = 60_000;

/**
 * The edges of all windows that are asked about, in order. Between two of them lies a segment; what
 * is counted once for each segment gives the count of any window by adding up.
 */
export function createMarks(windows: readonly Window[]) {
  const marks = [...new Set(windows.flatMap(({ from, to }) => [...edgesOf(from), ...edgesOf(to)]))];
  marks.sort((a, b) => a - b);
  const places = new Map(marks.map((mark, index) => [mark, index]));

  function place(mark: number): number {
    const index = places.get(mark);
    if (index === undefined) throw new Error('A window was not among those that were marked');
    return index;
  }

  /** The first segment of a window, and the first that is behind it. */
  const range = ({ from, to }: Window) => [place(from), place(to)] as const;

  return {
    range,
    zeros: () => new Float64Array(marks.length + 1),

    /** Those that some window needs; what lies between seasonal windows is not. */
    segments(): Segment[] {
      const opening = new Int32Array(marks.length + 1);
      for (const window of windows) {
        const [first, end] = range(window);
        add(opening, first, 1);
        add(opening, end, -1);
      }
      let open = 0;
      return marks.slice(1).flatMap((to, index) => {
        open += opening[index] ?? 0;
        return open > 0 ? [{ index, from: marks[index] ?? to, to }] : [];
      });
    },
  };
}

export const isWhole = (moment: number) => moment % MINUTE === 0;
export const minuteOf = (moment: number) => Math.floor(moment / MINUTE) * MINUTE;

/** An edge within a minute cuts that minute out, since counts are kept for whole ones only. */
function edgesOf(moment: number): number[] {
  if (isWhole(moment)) return [moment];
  const minute = minuteOf(moment);
  return [minute, moment, minute + MINUTE];
}
