import path from 'node:path';
import { StartError } from '../server/platform/start-errors.ts';
import type { Failure } from './pages.ts';

const AGAIN = { name: 'retry', label: 'Try again' };
const LOGS = { name: 'logs', label: 'Open the logs folder' };
const QUIT = { name: 'quit', label: 'Quit' };
const ANEW = { name: 'start-anew', label: 'Start anew…' };

/** What a window says to somebody who has no terminal to choose an option in. */
const ADVICE: Record<string, string> = {
  port:
    'Close that program and try again. Or start on another port for this time: senders then do ' +
    'not reach Vedette until they use its new address, which is under Settings, Network.',
  address:
    'Start Vedette with an address of this machine, or without one to listen on all of them.',
  held: 'It may be open for another user, or run as a service. Close it there, then try again.',
  directory:
    'Make sure that the disk has room and that this account can write there, then try again.',
};

/** In words, with what can be done. What nobody foresaw is in the log, with all that is known. */
export function describeFailure(error: unknown, dataDir: string, wasUp = false): Failure {
  const title = wasUp ? 'Vedette had to stop' : 'Vedette could not start';
  if (!(error instanceof StartError)) {
    return {
      title,
      what: `Something went wrong that Vedette did not expect: ${firstLine(error)}`,
      advice: 'The log says more.',
      actions: [AGAIN, LOGS, QUIT],
      where: dataDir,
    };
  }
  const { what, advice, code, installation } = error;
  const other = code === 'port' ? [{ name: 'other-port', label: 'Start on another port' }] : [];
  if (installation !== undefined) other.push(ANEW);
  return {
    title,
    what,
    advice: ADVICE[code] ?? advice,
    actions: [AGAIN, ...other, LOGS, QUIT],
    // Without its disk there is no data there to stay as it is.
    where: code === 'directory' || code === 'disk' ? null : dataDir,
  };
}

/** What it means to begin a new installation, before it is done. */
export function describeStartingAnew(dataDir: string): Failure {
  return {
    title: 'Start anew?',
    what: 'The new installation has none of the events, rules and alerts of the old one.',
    advice:
      'It has a new API key; events sent with the old keys are refused. What remains of the old ' +
      `installation is moved into ${path.join(dataDir, 'set-aside')}, and nothing is deleted.`,
    actions: [
      { name: 'back', label: 'Back' },
      { name: 'start-anew-now', label: 'Start anew' },
    ],
    where: null,
  };
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0] ?? '';
}
