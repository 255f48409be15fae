import type { Outcome } from './answer.ts';

/** What the last page of the consent says. Nothing of its address is among it. */
export interface CallbackWords {
  isConnected: boolean;
  title: string;
  lines: string[];
}

const BACK = 'You can close this tab and go back to Vedette.';

export function callbackWords(outcome: Outcome): CallbackWords {
  switch (outcome.kind) {
    case 'connected':
      return words('The tag manager is connected', [outcome.mayEdit ? ALL : READING], true);
    case 'failed':
      return failed(outcome.isKept, [outcome.fault.message, outcome.fault.next]);
    case 'broken':
      return failed(outcome.isKept, [`${outcome.problem.message}.`]);
    case 'used':
      return words('This page was shown before', [
        'The answer of the consent screen was taken already, and counts once only.',
      ]);
    case 'ended':
      return words('This attempt is over', [
        'It was cancelled in Vedette, or replaced by another one.',
      ]);
    case 'late':
      return words('This came too late', [
        'The consent screen has to be answered within ten minutes. Connect again.',
      ]);
    case 'unknown':
      return words('Vedette did not ask for this', [
        'This page is where a consent screen leads back to, but none is waited for here. Connect again in Vedette.',
      ]);
  }
}

/** For who is led here from another machine, or by a way that hides it. */
export const NOT_FROM_HERE: CallbackWords = words('One step is left', [
  'This page was not opened on the machine that Vedette runs on. Copy its whole address, and paste it into Vedette on the page Tag manager, where it waits for it.',
]);

const ALL = 'Vedette may read its containers and edit their workspaces. It can never publish.';
const READING =
  'Vedette may read its containers, but not edit: that box was not ticked on the consent screen. Connect again if it should propose changes.';

const failed = (isKept: boolean, lines: string[]): CallbackWords =>
  isKept
    ? words('The tag manager is connected as before', [KEPT, ...lines])
    : words('The tag manager is not connected', lines);

const KEPT = 'Connecting again did not work. The connection from before stays as it is.';

function words(title: string, lines: string[], isConnected = false): CallbackWords {
  return { isConnected, title, lines: [...lines, BACK] };
}
