import type { Severity } from '$server/rules/schema.ts';

export type Colour = Severity | 'accent' | 'soft';

/** One row of numbers over time. */
export interface Series {
  label: string;
  values: readonly (number | null)[];
  /** edge: only the border of a band, not drawn itself. */
  as?: 'line' | 'bars' | 'dashed' | 'edge';
  colour?: Colour;
}

export interface Band {
  label: string;
  low: readonly (number | null)[];
  high: readonly (number | null)[];
}

export interface Threshold {
  value: number;
  label: string;
}

/** From its first moment up to its last, in milliseconds. */
export interface Stretch {
  from: number;
  to: number;
}

export interface Layers {
  shaded: readonly Stretch[];
  hatched: readonly Stretch[];
  threshold: Threshold | undefined;
  mark: { at: number; label: string } | undefined;
}
