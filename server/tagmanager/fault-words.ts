import { TagManagerFault } from './faults.ts';

/** What is wrong and the way on, for each that is known. */
export const faults = {
  notConnected: () =>
    new TagManagerFault(
      'not_connected',
      'Vedette is not connected to a tag manager.',
      'Connect it first.',
    ),
  nothingChosen: () =>
    new TagManagerFault(
      'nothing_chosen',
      'No container and workspace is chosen yet.',
      'Choose the container that is to be looked at.',
    ),
  workspaceGone: () =>
    new TagManagerFault(
      'workspace_gone',
      'The workspace is gone, and there is none of the same name.',
      'Choose another workspace.',
    ),
  stopped: () => new TagManagerFault('stopped', 'It was stopped.', 'Start it again.'),
};
