import type { Check, OurTag, SnapshotView } from './schema.ts';
import { versionOf } from './template-check.ts';
import { joined, quoted } from './words.ts';

type Words = Pick<Check, 'holds' | 'title' | 'next' | 'action'>;

export function tagCheck(snapshot: SnapshotView): Check {
  const { tags, live, of } = snapshot;
  const draft = `Workspace ${quoted(of.workspace_name)}`;
  const evidence = [
    ...(live === null ? ['Live: nothing was ever published'] : sideOf(versionOf(live), live.tags)),
    ...sideOf(draft, tags),
  ];
  return { name: 'tag', evidence, ...wordsFor(tags, live?.tags ?? []) };
}

function sideOf(side: string, tags: readonly OurTag[]): string[] {
  return tags.length === 0
    ? [`${side}: no tag of Vedette's`]
    : tags.map((tag) => `${side}: tag ${quoted(tag.name)} ${deedOf(tag)}`);
}

/** 'fires on All events', 'is paused' */
function deedOf({ paused, fires_on, blocked_by, active }: OurTag): string {
  const fires = fires_on.length === 0 ? 'has no trigger' : `fires on ${joined(fires_on)}`;
  const but = blocked_by.length === 0 ? '' : `, except on ${joined(blocked_by)}`;
  if (paused) return `is paused; it ${fires}${but}`;
  return active || fires_on.length === 0 ? `${fires}${but}` : `never fires: it ${fires}${but}`;
}

function wordsFor(draft: readonly OurTag[], live: readonly OurTag[]): Words {
  const [inDraft, inLive] = [draft, live].map((tags) => tags.filter(({ active }) => active));
  if (inLive?.length && inDraft?.length) return complete(inDraft);
  if (inDraft?.length) {
    return {
      holds: true,
      title: 'The tag is in the workspace, but not published yet',
      next: 'Try it with Preview in the tag manager, then publish there.',
      action: 'publish',
    };
  }
  if (inLive?.length) {
    return {
      holds: true,
      title: 'The tag is live, but the workspace would take it away',
      next: `${defectOf(draft).next} Else the tag ends with the next version that is published.`,
      action: defectOf(draft).action,
    };
  }
  return { holds: false, ...defectOf(draft) };
}

/** One that fires once per page sees a page begin, and nothing of what happens on it. */
function complete(tags: readonly OurTag[]): Words {
  if (tags.some((tag) => tag.all_events)) {
    return { holds: true, title: 'The tag is live', next: null, action: null };
  }
  return {
    holds: true,
    title: 'The tag is live, but does not see every event',
    next: 'Let Vedette propose to have it fire on all events, unless it is to see no others.',
    action: 'install',
  };
}

type Defect = Omit<Words, 'holds' | 'next'> & { next: string };

/** Why no tag of the workspace fires: the one that lacks least says it. */
function defectOf(tags: readonly OurTag[]): Defect {
  if (tags.length === 0) {
    return {
      title: "There is no tag of Vedette's in the workspace",
      next: 'Let Vedette propose to install it, or make it by hand.',
      action: 'install',
    };
  }
  if (tags.some(({ paused, fires_on }) => paused && fires_on.length > 0)) {
    return {
      title: 'The tag is paused',
      next: 'Let Vedette propose to switch it on, or do so in the tag manager.',
      action: 'install',
    };
  }
  if (tags.every(({ fires_on }) => fires_on.length === 0)) {
    return {
      title: 'The tag has no trigger, so it never fires',
      next: 'Let Vedette propose to have it fire on all events.',
      action: 'install',
    };
  }
  return {
    title: 'The tag has an exception that keeps it from ever firing',
    next: 'Take the exception away from it in the tag manager, and take a new snapshot.',
    action: 'look',
  };
}
