import type uPlot from 'uplot';
import type { Colour, Layers, Stretch } from './parts.ts';

/** A canvas knows nothing of CSS, so the tokens are read out for it. */
export interface Colours extends Record<Colour, string> {
  ink: string;
  paper: string;
  faint: string;
  grid: string;
  band: string;
  hatch: string;
  firing: string;
  font: string;
}

export function readColours(place: HTMLElement): Colours {
  const style = getComputedStyle(place);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    accent: token('accent'),
    soft: token('ink-faint'),
    critical: token('critical'),
    warning: token('warning'),
    info: token('info'),
    ink: token('ink-soft'),
    paper: token('paper'),
    faint: token('ink-faint'),
    grid: token('grid'),
    band: token('band'),
    hatch: token('hatch'),
    firing: token('firing'),
    font: style.fontFamily,
  };
}

/** What lies behind the lines: when it fired, and when nobody listened. */
export function underlay(plot: uPlot, { shaded, hatched }: Layers, colours: Colours): void {
  const { ctx } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
  ctx.clip();
  ctx.fillStyle = colours.firing;
  for (const stretch of shaded) {
    const { left, width } = edges(plot, stretch);
    ctx.fillRect(left, plot.bbox.top, Math.max(2, width), plot.bbox.height);
  }
  for (const stretch of hatched) hatch(plot, stretch, colours);
  ctx.restore();
}

function hatch(plot: uPlot, stretch: Stretch, colours: Colours): void {
  const { ctx } = plot;
  const { top, height } = plot.bbox;
  const { left, width } = edges(plot, stretch);
  const gap = 7 * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, Math.max(2, width), height);
  ctx.clip();
  ctx.strokeStyle = colours.hatch;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  for (let x = left - height; x < left + width + gap; x += gap) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(x + height, top);
  }
  ctx.stroke();
  ctx.restore();
}

/** What lies above the lines: the threshold, and a moment to point at. */
export function overlay(plot: uPlot, { threshold, mark }: Layers, colours: Colours): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.font = `${11 * devicePixelRatio}px ${colours.font}`;
  ctx.lineWidth = devicePixelRatio;
  if (threshold) {
    const y = Math.round(plot.valToPos(threshold.value, 'y', true));
    if (y >= bbox.top && y <= bbox.top + bbox.height) {
      ctx.strokeStyle = ctx.fillStyle = colours.critical;
      ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
      line(ctx, bbox.left, y, bbox.left + bbox.width, y);
      const isHigh = y - bbox.top > 16 * devicePixelRatio;
      ctx.textAlign = 'right';
      ctx.textBaseline = isHigh ? 'bottom' : 'top';
      const words = threshold.label;
      const right = bbox.left + bbox.width - 4 * devicePixelRatio;
      const from = y + (isHigh ? -16 : 3) * devicePixelRatio;
      const wide = ctx.measureText(words).width;
      // The line of values may run just there.
      ctx.fillStyle = colours.paper;
      ctx.fillRect(right - wide - 3, from, wide + 6, 14 * devicePixelRatio);
      ctx.fillStyle = colours.critical;
      ctx.fillText(words, right, y + (isHigh ? -3 : 3) * devicePixelRatio);
    }
  }
  if (mark) {
    const x = Math.round(plot.valToPos(mark.at, 'x', true));
    ctx.setLineDash([]);
    ctx.strokeStyle = ctx.fillStyle = colours.ink;
    line(ctx, x, bbox.top, x, bbox.top + bbox.height);
    const isRight = x > bbox.left + bbox.width * 0.7;
    ctx.textAlign = isRight ? 'right' : 'left';
    ctx.textBaseline = 'top';
    ctx.fillText(
      mark.label,
      x + (isRight ? -5 : 5) * devicePixelRatio,
      bbox.top + 3 * devicePixelRatio,
    );
  }
  ctx.restore();
}

function line(
  ctx: CanvasRenderingContext2D,
  ...[x1, y1, x2, y2]: [number, number, number, number]
) {
  ctx.beginPath();
  ctx.moveTo(x1, y1);
  ctx.lineTo(x2, y2);
  ctx.stroke();
}

function edges(plot: uPlot, { from, to }: Stretch) {
  const left = plot.valToPos(from, 'x', true);
  return { left, width: plot.valToPos(to, 'x', true) - left };
}
