import { helpText, readCommand } from '../server/platform/options.ts';
import type { Command } from '../server/platform/options.ts';
import { SWITCHES, WORDS } from './switches.ts';

export interface Given {
  command: Command;
  /** Starts to the tray, as at sign-in to the computer. */
  isHidden: boolean;
}

const FOREIGN = new Set(SWITCHES);
const OURS = [
  'hidden',
  ...Array.from(helpText().matchAll(/--([a-z-]+)/g), ([, name = '']) => name),
];
const OUR_WORDS = OURS.flatMap((name) => name.split('-'));

/**
 * Everything behind the program's own name and, in development, behind the place of its code.
 * Desktops, installers and people hand more switches to an installed program than any list can
 * hold, and it must not stay down for one of them. So there only what may be meant for us is kept.
 */
export function ownArguments(argv: readonly string[], isPackaged: boolean): string[] {
  if (isPackaged) return argv.slice(1).filter(mayBeOurs);
  const place = argv.findIndex((argument, i) => i > 0 && !argument.startsWith('-'));
  return place < 0 ? [] : argv.slice(place + 1);
}

export function readGiven(args: readonly string[], env: NodeJS.ProcessEnv): Given {
  const ours = args.filter((argument) => argument !== '--hidden' && !isForeign(argument));
  return { command: readCommand(ours, env), isHidden: args.includes('--hidden') };
}

export function isForeign(argument: string): boolean {
  // macOS hands a serial number to programs that the Finder starts.
  if (argument.startsWith('-psn_') || WORDS.includes(argument)) return true;
  return FOREIGN.has(switchName(argument) ?? '');
}

/** Ours, or what somebody may have meant by it: a slip is to be told, not passed over. */
function mayBeOurs(argument: string): boolean {
  const name = switchName(argument);
  if (name === undefined) return true;
  const squeezed = squeeze(name);
  return (
    OURS.some((ours) => distance(squeezed, squeeze(ours)) <= 2) ||
    OUR_WORDS.some((word) => name.startsWith(word) || name.split(/[-_]/).includes(word))
  );
}

const switchName = (argument: string) => /^--([\w-]+)(?:=|$)/.exec(argument)?.[1];
const squeeze = (name: string) => name.toLowerCase().replace(/[-_]/g, '');

/** How many letters must be put in, taken out or exchanged to make the one of the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 0; i < one.length; i++) {
    const above = row;
    row = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const exchanged = (above[j] ?? 0) + (one[i] === other[j] ? 0 : 1);
      row.push(Math.min((above[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1, exchanged));
    }
  }
  return row.at(-1) ?? 0;
}
