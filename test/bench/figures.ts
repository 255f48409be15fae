/** One line of the report: what was measured, beside what it is held against. */
export interface Figure {
  row: string;
  what: string;
  measured: string;
  /** Lowest and highest of what the measured value is the median of. */
  spread?: string;
  yardstick?: string;
  goal?: string;
  met?: boolean;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Between two neighbours where the place is not a whole number. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? NaN;
  const above = sorted[Math.ceil(place)] ?? NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export function spread(values: readonly number[], text: (value: number) => string): string {
  return `${text(Math.min(...values))} – ${text(Math.max(...values))}`;
}

export const ms = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`;
export const seconds = (value: number): string => `${(value / 1000).toFixed(2)} s`;
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
export const ratio = (value: number): string => value.toFixed(2);
export const perSecond = (value: number): string =>
  `${value >= 100_000 ? `${Math.round(value / 1000)} k` : Math.round(value).toLocaleString('en')}/s`;

const HEADINGS = ['row', 'what', 'measured', 'min – max', 'yardstick', 'goal', ''];

export function table(figures: readonly Figure[]): string {
  const lines = figures.map(({ row, what, measured, spread, yardstick, goal, met }) => [
    row,
    what,
    measured,
    spread ?? '',
    yardstick ?? '',
    goal ?? '',
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ]);
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...lines.map((line) => line[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(HEADINGS), rule, ...lines.map(line)].join('\n');
}
