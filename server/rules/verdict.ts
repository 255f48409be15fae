import { gapsIn, lengthOf } from './listening.ts';
import type { Judgement, Span, Verdict } from './schema.ts';
import type { Moment } from './moment.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** What is kept and shown of it. */
export const verdictOf = ({ state, value, expected, message }: Judgement): Verdict => ({
  ...{ state, value, expected, message },
});

export const fires = (value: number, message: string, expected?: number): Verdict => ({
  state: 'fires',
  value,
  expected: expected ?? null,
  message,
});

export const quiet = (value: number, expected?: number): Verdict => ({
  state: 'quiet',
  value,
  expected: expected ?? null,
  message: null,
});

export const skipped = (reason: string, value?: number): Verdict => ({
  state: 'skipped',
  value: value ?? null,
  expected: null,
  message: reason,
});

/** The window of so many minutes before a moment; however short, it is not empty. */
export function windowBefore(end: number, minutes: number): Span {
  return { from: end - Math.max(1, Math.round(minutes * MINUTE)), to: end };
}

/** Why nothing is known of a window, if that is so: what was there may have been deleted since. */
export function forgotten(window: Span, since: number | undefined): string | undefined {
  if (since === undefined || window.from >= since) return undefined;
  return 'the window begins before the oldest events that are kept';
}

export function heardIn(window: Span, { listening }: Moment): number {
  return window.to - window.from - lengthOf(gapsIn(listening, window));
}

/** More silence than this in a window may come from nobody listening. */
const TOLERATED_SHARE = 0.1;

/** Why a window says nothing about too little, if that is so. */
export function offlineIn(window: Span, { at, listening, localTime }: Moment): string | undefined {
  const gaps = gapsIn(listening, window);
  if (lengthOf(gaps) <= (window.to - window.from) * TOLERATED_SHARE) return undefined;
  const times = gaps
    .slice(0, 3)
    .map(({ from, to }) => `${localTime.text(from, at)}–${localTime.text(to, from)}`);
  const more = gaps.length > 3 ? ` and ${gaps.length - 3} times more` : '';
  return `collector was offline ${times.join(', ')}${more}`;
}

export function roughly(value: number): string {
  const digits = Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
  return String(Number(value.toFixed(digits)));
}

/** `60 min`, as in the message of a threshold. */
export const minutesText = (milliseconds: number) => `${milliseconds / MINUTE} min`;
