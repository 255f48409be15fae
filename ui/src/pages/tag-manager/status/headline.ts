import type { ConnectionView } from '$server/tagmanager/connection/schema.ts';
import type { Check, Verification } from '$server/tagmanager/snapshot/schema.ts';
import { plural } from '../../../lib/words.ts';

export interface Headline {
  mark: 'healthy' | 'warning' | 'waiting' | 'info';
  sentence: string;
  more: string;
}

/** The state of the whole in one sentence, made of the connection and of all three checks. */
export function headlineOf(view: ConnectionView, verification?: Verification): Headline {
  return unfinished(view, verification) ?? standing(view, verification);
}

/** Until a container is chosen, the way there is what matters. */
function unfinished(view: ConnectionView, verification?: Verification): Headline | undefined {
  if (view.state === 'waiting') {
    return {
      mark: 'waiting',
      sentence: 'Waiting for your consent at Google.',
      more: 'This page goes on by itself once you have agreed there.',
    };
  }
  if (view.state === 'not_connected') return away(holds(verification, 'events'));
  if (view.chosen) return undefined;
  return {
    mark: 'waiting',
    sentence: 'Choose the container that is to send to Vedette.',
    more: 'The tag manager is connected.',
  };
}

function away(isArriving: boolean | undefined): Headline {
  if (isArriving) {
    return {
      mark: 'info',
      sentence: 'Events arrive from the tag manager, which is not connected.',
      more: 'Connected, Vedette also sees whether its tag is whole, current and published.',
    };
  }
  return {
    mark: 'waiting',
    sentence: 'The tag manager is not connected.',
    more: isArriving === false ? 'Nothing has come from it in the last 24 hours.' : '',
  };
}

function standing(view: ConnectionView, verification?: Verification): Headline {
  const container = view.chosen?.public_id ?? 'The container';
  if (isShut(view)) {
    return {
      mark: 'warning',
      sentence: `${container} can no longer be read.`,
      more: verification?.snapshot_taken_at
        ? 'What stands below of its template and tag is as it was read last.'
        : 'It was never read so far.',
    };
  }
  if (!verification) return { mark: 'info', sentence: `${container} is connected.`, more: '' };
  if (verification.snapshot_taken_at === null) return unread(view, container);
  return judged(verification, container);
}

/** Reading goes on where only editing was not granted. */
export const isShut = ({ problem, may_edit }: ConnectionView) =>
  problem !== null && !(problem.code === 'missing_scope' && !may_edit);

function unread({ job }: ConnectionView, container: string): Headline {
  return job
    ? {
        mark: 'waiting',
        sentence: `${container} is being read for the first time.`,
        more: 'Then it shows whether it sends to Vedette.',
      }
    : { mark: 'waiting', sentence: `${container} was not read yet.`, more: 'Check its status.' };
}

function judged(verification: Verification, container: string): Headline {
  const { checks } = verification;
  const [template, tag, events] = (['template', 'tag', 'events'] as const).map((name) =>
    holds(verification, name),
  );
  if (verification.complete) {
    return {
      mark: 'healthy',
      sentence: `${container} sends to Vedette, and all three checks hold.`,
      more: checks.find((check) => check.next)?.next ?? 'There is nothing to do here.',
    };
  }
  const held = checks.filter((check) => check.holds).length;
  return {
    mark: 'warning',
    sentence: lackOf({ template, tag, events }, checks, container),
    more: `${held} of ${plural(checks.length, 'check')} ${held === 1 ? 'holds' : 'hold'}.`,
  };
}

type Found = Record<Check['name'], boolean | undefined>;

function lackOf({ template, tag, events }: Found, checks: readonly Check[], container: string) {
  if (template && tag) {
    const isDraft = checks.some(({ action }) => action === 'publish');
    return isDraft
      ? `The tag in ${container} waits to be published.`
      : `The tag is in ${container}, but nothing comes from it.`;
  }
  const lacks = template
    ? 'no tag of Vedette that fires'
    : tag
      ? 'no template of Vedette any more'
      : 'neither a template nor a tag of Vedette';
  if (events) return `Events arrive, but ${container} has ${lacks}.`;
  return template || tag ? `${container} has ${lacks}.` : `${container} does not send to Vedette.`;
}

const holds = (verification: Verification | undefined, name: Check['name']) =>
  verification?.checks.find((check) => check.name === name)?.holds;
