import uPlot from 'uplot';
import { clock, short } from '$lib/words.ts';
import type { Colours } from './layers.ts';
import type { Series } from './parts.ts';

interface Parts {
  lines: readonly Series[];
  /** The last two lines are then the edges of the band. */
  hasBand: boolean;
  colours: Colours;
  /** Nothing but whole numbers is shown. */
  isWhole: boolean;
  /** How long a bucket is, where buckets are drawn as bars. */
  stepOf: () => number;
  /** A value that must be in sight, such as a threshold. */
  least: () => number | undefined;
}

const HOUR = 3_600_000;
const WHOLE = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].flatMap((power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
);
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric' });

/** The one look of all charts: thin axes, a faint grid, no legend. */
export function optionsOf({ lines, hasBand, colours, isWhole, stepOf, least }: Parts) {
  const font = `11px ${colours.font}`;
  const axis = { stroke: colours.faint, font, grid: { stroke: colours.grid, width: 1 } };
  return {
    ms: 1,
    legend: { show: false },
    padding: [8, 18, 0, 0],
    scales: {
      // The last bar has a width, too.
      x: { time: true, range: (_plot, from, to) => [from, to + stepOf()] },
      y: {
        range: (_plot, low, high) => {
          const wanted = least();
          const top = Math.max(high ?? 0, wanted ?? 0, 1);
          const bottom = Math.min(low ?? 0, wanted ?? 0, 0);
          return [bottom < 0 ? bottom * 1.1 : 0, top * 1.12];
        },
      },
    },
    axes: [
      {
        ...axis,
        size: 26,
        space: 70,
        ticks: { show: false },
        grid: { show: false },
        values: (plot, splits) =>
          labels(splits, (plot.scales['x']?.max ?? 0) - (plot.scales['x']?.min ?? 0)),
      },
      {
        ...axis,
        size: 52,
        space: 36,
        // Half an event is none.
        ...(isWhole && { incrs: WHOLE }),
        ticks: { show: false },
        values: (_plot, splits) => splits.map((value) => short(value)),
      },
    ],
    series: [{}, ...lines.map((line) => seriesOf(line, colours))],
    ...(hasBand && {
      bands: [{ series: [lines.length, lines.length - 1], fill: colours.band }],
    }),
  } satisfies Partial<uPlot.Options>;
}

function seriesOf(
  { label, as = 'line', colour = 'accent' }: Series,
  colours: Colours,
): uPlot.Series {
  const stroke = colours[colour];
  if (as === 'edge') return { label, stroke: 'transparent', width: 0, points: { show: false } };
  if (as === 'bars') {
    return {
      label,
      width: 0,
      fill: stroke,
      points: { show: false },
      ...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [0.72, 40], align: 1 }) }),
    };
  }
  return {
    label,
    stroke,
    width: 1.6,
    points: { show: false },
    ...(as === 'dashed' && { dash: [4, 4], width: 1.2 }),
  };
}

/** Hours within a day, days beyond; midnight always says which day begins. */
function labels(splits: number[], span: number): string[] {
  return splits.map((at) => {
    const { hours, minutes } = {
      hours: new Date(at).getHours(),
      minutes: new Date(at).getMinutes(),
    };
    const isMidnight = hours === 0 && minutes === 0;
    if (span > 8 * 24 * HOUR) return date.format(at);
    if (isMidnight || span > 3 * 24 * HOUR) return isMidnight ? weekday.format(at) : clock(at);
    return clock(at);
  });
}
