import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Rectangle } from 'electron';
import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openWindowState, type KeptWindow } from '../../electron/window-state.ts';
import { aLog, FakeWindow } from '../helpers/electron-parts.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const LEFT = { x: 0, y: 25, width: 1920, height: 1055 };
const RIGHT = { x: 1920, y: 0, width: 2560, height: 1400 };
const keptBy = (window: FakeWindow) => window as unknown as KeptWindow;

async function stateWith(content?: unknown) {
  const file = path.join(tempDir(), 'profile', 'window.json');
  const log = aLog();
  if (content !== undefined) {
    mkdirSync(path.dirname(file));
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return { file, log, state: await openWindowState(file, log) };
}

it('begins in the middle of the first screen, at its usual size', async () => {
  const { state, log } = await stateWith();
  expect(state.bounds([LEFT, RIGHT])).toEqual({ width: 1280, height: 840, maximized: false });
  expect(log.lines).toEqual([]);
});

it('is never larger than the screen, even where that is smaller than the smallest', async () => {
  const { state } = await stateWith();
  const small = { x: 0, y: 0, width: 800, height: 480 };
  expect(state.bounds([small])).toMatchObject({ width: 800, height: 480 });
  expect(state.bounds([])).toMatchObject({ width: 1280, height: 840 });
  expect(state.bounds([{ x: 0, y: 0, width: 0, height: 0 }])).toMatchObject({ width: 1280 });
});

it('comes back where it was, on whichever screen', async () => {
  const { file, log, state } = await stateWith();
  const window = new FakeWindow({ x: 2000, y: 100, width: 1500, height: 900 });
  state.keep(keptBy(window));
  window.move(2100, 120);
  window.maximize();
  await state.saved();
  const next = await openWindowState(file, log);
  const place = { x: 2100, y: 120, width: 1500, height: 900, maximized: true };
  expect(next.bounds([LEFT, RIGHT])).toEqual(place);
  expect(state.bounds([LEFT, RIGHT])).toEqual(place);
});

it('is in the middle when its screen is gone, and keeps its size as far as that fits', async () => {
  const { state } = await stateWith({
    x: 2100,
    y: 120,
    width: 2400,
    height: 700,
    maximized: false,
  });
  expect(state.bounds([LEFT])).toEqual({ width: 1920, height: 700, maximized: false });
});

it('is pushed back whole onto a screen that has become smaller', async () => {
  const { state } = await stateWith({ x: 900, y: 400, width: 1000, height: 700, maximized: false });
  const place = state.bounds([{ x: 0, y: 30, width: 1500, height: 800 }]);
  expect(place).toEqual({ x: 500, y: 130, width: 1000, height: 700, maximized: false });
});

const anyNumber = fc.oneof(fc.integer({ min: -9000, max: 9000 }), fc.double({ noNaN: true }));
const kept = fc.record({
  ...{ x: anyNumber, y: anyNumber, width: anyNumber, height: anyNumber },
  maximized: fc.boolean(),
});
const screen: fc.Arbitrary<Rectangle> = fc.record({
  x: fc.integer({ min: -5000, max: 5000 }),
  y: fc.integer({ min: -5000, max: 5000 }),
  width: fc.integer({ min: 1, max: 5000 }),
  height: fc.integer({ min: 1, max: 5000 }),
});

it('is whole on a screen, whatever was kept and whatever screens there are', async () => {
  const file = path.join(tempDir(), 'window.json');
  await fc.assert(
    fc.asyncProperty(kept, fc.array(screen, { minLength: 1, maxLength: 3 }), async (was, areas) => {
      writeFileSync(file, JSON.stringify(was));
      const place = (await openWindowState(file, aLog())).bounds(areas);
      const { x, y, width, height } = place;
      const numbers = [x ?? 0, y ?? 0, width, height];
      expect(numbers.every((one) => Number.isInteger(one))).toBe(true);
      const holds = (area: Rectangle) =>
        (x === undefined || (x >= area.x && x + width <= area.x + area.width)) &&
        (y === undefined || (y >= area.y && y + height <= area.y + area.height)) &&
        width <= area.width &&
        height <= area.height &&
        (width >= 900 || width === area.width) &&
        (height >= 600 || height === area.height);
      expect(areas.some(holds)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it.each([
  '{"x":0',
  '',
  '[]',
  '{"x":"0","y":0,"width":1000,"height":700,"maximized":false}',
  '{"x":1e999,"y":0,"width":1000,"height":700,"maximized":false}',
  '{"x":null,"y":0,"width":1000,"height":700,"maximized":false}',
])('takes the usual size when %j was kept, and says so in the log', async (text) => {
  const { state, log } = await stateWith(text);
  expect(state.bounds([LEFT])).toEqual({ width: 1280, height: 840, maximized: false });
  expect(log.lines).toHaveLength(1);
});

it('writes nothing during a drag, and then where the window came to rest', async () => {
  const { file, state } = await stateWith();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const window = new FakeWindow({ x: 0, y: 30, width: 1000, height: 700 });
  state.keep(keptBy(window));
  for (let x = 0; x < 200; x++) {
    window.move(x, 30);
    vi.advanceTimersByTime(10);
  }
  await new Promise(setImmediate);
  expect(existsSync(path.dirname(file))).toBe(false);
  vi.advanceTimersByTime(1000);
  await vi.waitUntil(() => existsSync(file));
  const written = (): unknown => JSON.parse(readFileSync(file, 'utf8'));
  expect(written()).toMatchObject({ x: 199 });
  window.move(300, 30);
  vi.advanceTimersByTime(1000);
  await vi.waitFor(() => expect(written()).toMatchObject({ x: 300 }));
});

it('writes where a window was that is destroyed while it moves, and asks it no more', async () => {
  const { file, state } = await stateWith();
  const window = new FakeWindow({ x: 10, y: 30, width: 1000, height: 700 });
  state.keep(keptBy(window));
  window.move(20, 30);
  window.isGone = true;
  window.move(-32_000, -32_000);
  await state.saved();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ x: 20 });
});

it('writes nothing anew when nothing moved', async () => {
  const { file, state } = await stateWith();
  const window = new FakeWindow({ x: 10, y: 30, width: 1000, height: 700 });
  state.keep(keptBy(window));
  await state.saved();
  expect(existsSync(file)).toBe(false);
  window.move(10, 30);
  await state.saved();
  const { ino } = statSync(file);
  window.move(10, 30);
  await state.saved();
  expect(statSync(file).ino).toBe(ino);
});

it('goes on where nothing can be written', async () => {
  const file = path.join(tempDir(), 'in-the-way');
  writeFileSync(file, '');
  const log = aLog();
  const state = await openWindowState(path.join(file, 'window.json'), log);
  const window = new FakeWindow({ x: 10, y: 30, width: 1000, height: 700 });
  state.keep(keptBy(window));
  window.move(20, 30);
  await state.saved();
  expect(state.bounds([LEFT])).toMatchObject({ x: 20 });
  expect(log.lines).toContain('The size of the window could not be written');
});
