import type { Chosen, FaultCode } from './connection/schema.ts';
import { TagManagerFault } from './faults.ts';

/** The detail is told after what is wrong; the seconds are until it makes sense to ask again. */
type Maker = (detail?: string, waitSeconds?: number) => TagManagerFault;

/** `grant_ended` is made by `grantEnded`. */
type MakerName<Code extends string> = Code extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<MakerName<Rest>>}`
  : Code;

const says =
  (code: FaultCode, what: string, next: string): Maker =>
  (detail = '', waitSeconds = 0) =>
    new TagManagerFault(code, sentence(what, detail), next, waitSeconds);

const CONNECT_AGAIN = 'Connect again';

/** What went wrong with the tag manager, and the way on: all such words are here. */
export const faults = {
  denied: says(
    'denied',
    'Access was not granted on the consent screen',
    'Connect again when you are ready, and choose "Allow".',
  ),
  cancelled: says('cancelled', 'Connecting was cancelled', `${CONNECT_AGAIN} when you are ready.`),
  timedOut: says(
    'timed_out',
    'The consent screen was not answered in time',
    `${CONNECT_AGAIN}: there are 10 minutes to answer.`,
  ),
  codeRefused: says(
    'code_refused',
    'Google did not take the code that came back from the consent screen',
    `${CONNECT_AGAIN}: such a code is good for a few minutes, and once only. Where you paste the address of the last page, copy all of it.`,
  ),
  accessFailed: says(
    'access_failed',
    'Google gave no access',
    `${CONNECT_AGAIN}. If it ends like this again, look at the OAuth client and its consent screen in your Google Cloud project.`,
  ),
  wrongClient: says(
    'wrong_client',
    'Google does not accept the OAuth client',
    'Compare the client ID and the client secret with those in your Google Cloud project: the client must be of the type "Desktop app", and must not have been deleted.',
  ),
  missingScope: says(
    'missing_scope',
    'Not everything that Vedette asked for was granted',
    `${CONNECT_AGAIN}, and leave every box on the consent screen ticked.`,
  ),
  noRefreshToken: says(
    'no_refresh_token',
    'Google gave access for an hour only',
    'Remove Vedette under "Third-party apps and services" in your Google account, then connect again.',
  ),
  noAccounts: says(
    'no_accounts',
    'This Google account sees no tag-manager account',
    'Ask for access in the tag manager under Admin, User Management, or connect with another Google account.',
  ),
  notConnected: says(
    'not_connected',
    'Vedette is not connected to the tag manager',
    'Connect it on the tag manager page.',
  ),
  nothingChosen: says(
    'nothing_chosen',
    'No container has been chosen',
    'Choose an account, a container and a workspace.',
  ),
  grantEnded: says(
    'grant_ended',
    'The access that was granted has ended: it was withdrawn, or has expired',
    `${CONNECT_AGAIN}. While your OAuth app is in testing, Google ends every grant after 7 days: set it to "In production".`,
  ),
  tokensUnreadable: says(
    'tokens_unreadable',
    'What is stored of the connection cannot be decrypted now',
    'Unlock the keyring of this computer. If it was reset, connect again.',
  ),
  wrongAccount: says(
    'wrong_account',
    'This Google account cannot see the chosen container',
    `${CONNECT_AGAIN} with the account that can, or choose another container.`,
  ),
  noPermission: says(
    'no_permission',
    'This Google account may not do that in the container',
    'Ask for access in the tag manager under Admin, User Management: reading needs "Read", applying changes needs "Edit".',
  ),
  apiDisabled: says(
    'api_disabled',
    'The Tag Manager API is switched off in your Google Cloud project',
    'Switch on the Tag Manager API in your Google Cloud project, under "APIs & Services", then try again after a few minutes.',
  ),
  workspaceGone: says(
    'workspace_gone',
    'The chosen workspace is no longer there: it was published or deleted, and none has taken its name',
    'Choose another workspace.',
  ),
  notFound: says(
    'not_found',
    'The tag manager does not have it, or this Google account may not see it',
    'Look in the tag manager whether it is still there, and whether this Google account may see it. Then take a new snapshot, or choose another container.',
  ),
  conflict: says(
    'conflict',
    'Somebody else has changed it in the tag manager meanwhile',
    'Look at both versions, then propose the change again.',
  ),
  refused: says(
    'refused',
    'The tag manager refused it',
    'Change what was refused, then try again. If nothing is wrong with it, look whether the tag manager itself takes it.',
  ),
  quotaDay: says(
    'quota_day',
    'The requests that Google allows for a day are used up',
    'Go on tomorrow: Google counts anew at midnight, Pacific time. More can be asked for in your Google Cloud project.',
  ),
  quota: says(
    'quota',
    'Google asks to wait: too many requests were made with your Google Cloud project',
    'Try again in a few minutes. If other programs use the same project, give Vedette one of its own.',
  ),
  unreachable: says(
    'unreachable',
    'Google could not be reached, or did not answer as it should',
    'Look whether this computer is online, and whether a firewall or proxy is in the way, then try again.',
  ),
  stopped: says('stopped', 'It was stopped', 'Start it again when you like.'),
} satisfies Record<MakerName<FaultCode>, Maker>;

/** What ends work for reasons of our own, and is begun again. */
export const unforeseen = () => ended('Something went wrong here; it is in the log', 'Try again.');
export const failedHere = (what: string) => ended(what, 'Try again.');
export const chosenMeanwhile = () =>
  ended(
    'Another container or workspace was chosen in the meantime, so this snapshot was not kept',
    'Take a new one.',
  );

const ended = (what: string, next: string) =>
  new TagManagerFault('stopped', sentence(what, ''), next);

/** What was left out on the consent screen, told after `faults.missingScope`. */
export const leftOut = {
  reading: 'reading containers was left out',
  editing: 'editing workspaces was left out',
};

/** With the container by name, since the account in use may not be the one that was meant. */
export const cannotSee = ({ container_name, public_id }: Chosen) =>
  faults.wrongAccount(`${container_name} (${public_id})`);

/** One sentence, however the detail ends. */
function sentence(what: string, detail: string): string {
  const told = detail.trim().replace(/[.:\s]+$/, '');
  if (told === '') return `${what}.`;
  return `${what}: ${told}.`;
}
