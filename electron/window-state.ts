import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserWindow, Rectangle } from 'electron';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import type { Logger } from '../server/platform/log.ts';
import { createMutex } from '../server/platform/mutex.ts';

export const DEFAULT_SIZE = { width: 1280, height: 840 };
export const SMALLEST_SIZE = { width: 900, height: 600 };

/** How long a window must rest before its place is written. */
const REST_MS = 500;

/** Without `x` and `y` the window belongs in the middle of the first screen. */
export interface WindowPlace {
  x?: number;
  y?: number;
  width: number;
  height: number;
  maximized: boolean;
}

export type KeptWindow = Pick<
  BrowserWindow,
  'on' | 'getNormalBounds' | 'isMaximized' | 'isDestroyed'
>;

export interface WindowState {
  bounds(workAreas: readonly Rectangle[]): WindowPlace;
  keep(window: KeptWindow): void;
  /** Writes what is not written yet, without waiting for the window to rest. */
  saved(): Promise<void>;
}

type Log = Pick<Logger, 'warn'>;

const kept = z.strictObject({
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  maximized: z.boolean(),
});

type Kept = z.infer<typeof kept>;

export async function openWindowState(file: string, log: Log): Promise<WindowState> {
  const inTurn = createMutex();
  let last = await read(file, log);
  let onDisk = last;
  let rest: NodeJS.Timeout | undefined;

  /** At once: a window may be destroyed without a word before it rests. */
  function note(window: KeptWindow): void {
    if (window.isDestroyed()) return;
    const { x, y, width, height } = window.getNormalBounds();
    last = { x, y, width, height, maximized: window.isMaximized() };
    clearTimeout(rest);
    rest = setTimeout(() => void save(), REST_MS).unref();
  }

  function save(): Promise<void> {
    clearTimeout(rest);
    return inTurn(async () => {
      if (!last || JSON.stringify(last) === JSON.stringify(onDisk)) return;
      const place = last;
      if (await write(file, place, log)) onDisk = place;
    });
  }

  return {
    bounds: (workAreas) => placeOn(workAreas, last),
    keep: (window) => {
      const noted = () => note(window);
      window.on('resize', noted);
      window.on('move', noted);
      window.on('maximize', noted);
      window.on('unmaximize', noted);
    },
    saved: save,
  };
}

/** Whole on the screen that holds its middle; that screen may be gone, or have become smaller. */
function placeOn(workAreas: readonly Rectangle[], last: Kept | null): WindowPlace {
  // Some systems name a screen of no size while they start.
  const areas = workAreas.filter((area) => area.width > 0 && area.height > 0);
  const home = last && areas.find((area) => holdsMiddle(area, last));
  const area = home ?? areas[0];
  if (!area) return { ...DEFAULT_SIZE, maximized: last?.maximized ?? false };

  const wanted = last ?? { ...DEFAULT_SIZE, maximized: false };
  const width = within(SMALLEST_SIZE.width, wanted.width, area.width);
  const height = within(SMALLEST_SIZE.height, wanted.height, area.height);
  const size = { width, height, maximized: wanted.maximized };
  if (!last || !home) return size;
  return {
    x: within(area.x, last.x, area.x + area.width - width),
    y: within(area.y, last.y, area.y + area.height - height),
    ...size,
  };
}

/** The upper bound wins: a screen may be smaller than the smallest window. */
function within(least: number, value: number, most: number): number {
  return Math.min(Math.max(Math.round(value), least), most);
}

function holdsMiddle(area: Rectangle, { x, y, width, height }: Kept): boolean {
  const [left, top] = [x + width / 2 - area.x, y + height / 2 - area.y];
  return left >= 0 && left < area.width && top >= 0 && top < area.height;
}

/** A place that cannot be read is not worth setting aside: it is kept anew at the next move. */
async function read(file: string, log: Log): Promise<Kept | null> {
  try {
    return kept.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    const isFirst = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isFirst) log.warn({ err: error }, 'The size of the window cannot be read');
    return null;
  }
}

async function write(file: string, place: Kept, log: Log): Promise<boolean> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    // After a power cut the usual size will do.
    await writeFileAtomic(file, JSON.stringify(place) + '\n', { fsync: false });
    return true;
  } catch (error) {
    log.warn({ err: error }, 'The size of the window could not be written');
    return false;
  }
}
