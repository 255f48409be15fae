import type { Span } from './schema.ts';

/**
 * When the collector was there to receive anything, in order of time and without overlap. Silence
 * in the data means something only while somebody listened.
 */
export type Listening = readonly Span[];

/** The parts of a window in which nobody listened. */
export function gapsIn(listening: Listening, { from, to }: Span): Span[] {
  const gaps: Span[] = [];
  let heardUpTo = from;
  for (let i = firstEndingAfter(listening, from); i < listening.length; i++) {
    const span = listening[i] as Span;
    if (span.from >= to) break;
    if (span.from > heardUpTo) gaps.push({ from: heardUpTo, to: span.from });
    heardUpTo = Math.max(heardUpTo, span.to);
  }
  if (heardUpTo < to) gaps.push({ from: heardUpTo, to });
  return gaps;
}

export function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** A cycle looks at the newest of what may be thousands of spans. */
function firstEndingAfter(listening: Listening, moment: number): number {
  let low = 0;
  let high = listening.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((listening[middle] as Span).to > moment) high = middle;
    else low = middle + 1;
  }
  return low;
}
