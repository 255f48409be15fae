import { TagManagerFault } from './faults.ts';

/** What is wrong, and the way on, in words for those who see it. */
export const faults = {
  missingScope: () =>
    new TagManagerFault(
      'missing_scope',
      'Vedette may only read in the tag manager.',
      'Connect again, and allow it to edit workspaces.',
    ),
  workspaceGone: () =>
    new TagManagerFault(
      'workspace_gone',
      'The workspace is no longer there: it was published or deleted.',
      'Choose another workspace.',
    ),
  stopped: () => new TagManagerFault('stopped', 'It was stopped.', 'Go on whenever you like.'),
  unreachable: () =>
    new TagManagerFault(
      'unreachable',
      'The tag manager could not be reached.',
      'Look at the network, and go on.',
    ),
};
