import type { Subject } from './assert-that.ts';
import { ScenarioFailure } from './failure.ts';
import { isEqual, show } from './values.ts';

const MOST_SHOWN = 5;

const listed = (args: unknown[]) => `(${args.map(show).join(', ')})`;

function told(calls: unknown[][]): string {
  if (calls.length === 0) return 'it was not called';
  const shown = calls.slice(0, MOST_SHOWN).map(listed).join(', ');
  return `it was called with ${shown}${calls.length > MOST_SHOWN ? ` and ${calls.length - MOST_SHOWN} times more` : ''}`;
}

/** What `assertApi` gives: assertions about the calls so far, each of which gives the same again. */
export function assertApi(name: string, callsOf: (name: string) => unknown[][]): Subject {
  const calledWith = (args: unknown[]) => callsOf(name).some((call) => isEqual(call, args));
  const assertion =
    (holds: (...args: unknown[]) => boolean, words: (args: unknown[]) => string) =>
    (...args: unknown[]) => {
      if (holds(...args)) return subject;
      throw new ScenarioFailure(`expected ${name} ${words(args)}; ${told(callsOf(name))}`);
    };
  const subject: Subject = {
    wasCalled: assertion(
      () => callsOf(name).length > 0,
      () => 'to be called',
    ),
    wasCalledWith: assertion(
      (...args) => calledWith(args),
      (args) => `to be called with ${listed(args)}`,
    ),
    wasNotCalled: assertion(
      () => callsOf(name).length === 0,
      () => 'not to be called',
    ),
    wasNotCalledWith: assertion(
      (...args) => !calledWith(args),
      (args) => `not to be called with ${listed(args)}`,
    ),
  };
  return subject;
}
