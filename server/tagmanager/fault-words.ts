import { TagManagerFault } from './faults.ts';

const WAIT_SECONDS = 30;

/** What goes wrong with the tag manager, and the way on, in the words that a person reads. */
export const faults = {
  denied: () =>
    new TagManagerFault(
      'denied',
      'Access was not granted on the consent screen.',
      'Connect again, and allow it there.',
    ),
  cancelled: () =>
    new TagManagerFault('cancelled', 'Connecting was cancelled.', 'Connect when you are ready.'),
  timedOut: () =>
    new TagManagerFault(
      'timed_out',
      'The consent screen was not answered in time.',
      'Connect again. If Google showed an error there instead, check the client ID.',
    ),
  wrongClient: (detail?: string) =>
    new TagManagerFault(
      'wrong_client',
      `Google does not accept this OAuth client${detail ? ` (${detail})` : ''}.`,
      'Check the client ID and the secret. The client must be of the type "Desktop app".',
    ),
  missingScope: (detail = 'reading containers') =>
    new TagManagerFault(
      'missing_scope',
      `The consent did not include ${detail}.`,
      'Connect again, and leave all boxes on the consent screen ticked.',
    ),
  noRefreshToken: () =>
    new TagManagerFault(
      'no_refresh_token',
      'Google granted access for an hour only, without a way to renew it.',
      'Connect again. If that does not help, remove Vedette under https://myaccount.google.com/connections first.',
    ),
  noAccounts: () =>
    new TagManagerFault(
      'no_accounts',
      'This Google account sees no tag-manager account.',
      'Connect again with another Google account, or have this one invited in the tag manager.',
    ),
  notConnected: () =>
    new TagManagerFault(
      'not_connected',
      'The tag manager is not connected.',
      'Connect it on the page Tag manager.',
    ),
  nothingChosen: () =>
    new TagManagerFault(
      'nothing_chosen',
      'No container has been chosen yet.',
      'Choose account, container and workspace on the page Tag manager.',
    ),
  grantEnded: () =>
    new TagManagerFault(
      'grant_ended',
      'The access that was granted has ended: it was withdrawn, or has expired.',
      'Connect again. While your OAuth app is in testing, Google ends every grant after 7 days: set it to "In production".',
    ),
  tokensUnreadable: () =>
    new TagManagerFault(
      'tokens_unreadable',
      'The stored access cannot be decrypted at present.',
      'When About says that a keyring is waited for, unlock that. Else connect again.',
    ),
  wrongAccount: (container = 'the chosen container') =>
    new TagManagerFault(
      'wrong_account',
      `The Google account that is connected now cannot see ${container}.`,
      'Connect again with the account from before, or choose another container.',
    ),
  refused: (detail?: string) =>
    new TagManagerFault(
      'refused',
      `Google refused the request${detail ? `: ${detail}` : ''}.`,
      'Try again. If it stays so, check the OAuth client in your Google Cloud project.',
    ),
  unreachable: (detail?: string) =>
    new TagManagerFault(
      'unreachable',
      `Google could not be reached${detail ? `: ${detail}` : ''}.`,
      'Check the network of this machine, and try again.',
      WAIT_SECONDS,
    ),
};
