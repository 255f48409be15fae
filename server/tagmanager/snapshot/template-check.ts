import type { Check, OurTemplate, SnapshotView } from './schema.ts';
import { joined, quoted } from './words.ts';

type State = OurTemplate['state'];

/** The worst of those that matter is what there is to say. */
const WORST_FIRST: readonly State[] = ['outdated', 'elsewhere', 'current'];

export function templateCheck(snapshot: SnapshotView): Check {
  const { templates, live, of } = snapshot;
  const evidence = [
    ...templates.map((template) => `Workspace ${quoted(of.workspace_name)}: ${told(template)}`),
    ...(live?.templates ?? []).map((one) => `${versionOf(live)}: ${told(one)}`),
  ];
  const name = 'template';
  if (templates.length === 0) {
    const title = 'The template is not in the workspace';
    const none = `Workspace ${quoted(of.workspace_name)}: no template of Vedette's`;
    const next = 'Let Vedette propose to install it, or import it by hand.';
    return { name, holds: false, title, evidence: [none, ...evidence], next, action: 'install' };
  }
  const state = stateOf(snapshot);
  return { name, holds: true, evidence, ...WORDS[state] };
}

const WORDS: Record<State, Pick<Check, 'title' | 'next' | 'action'>> = {
  current: { title: 'The template is in the workspace', next: null, action: null },
  outdated: {
    title: 'The template is in the workspace, but not as Vedette hands it out now',
    next: 'Let Vedette propose to update it, or import it once more by hand.',
    action: 'install',
  },
  elsewhere: {
    title:
      'The template is in the workspace, but sends to an address that this Vedette does not know as its own',
    next: 'Let Vedette propose to mend the address. If it does lead here, enter it as the public URL in the settings.',
    action: 'install',
  },
};

/** Of the templates that tags use; those that no tag uses do no harm. */
function stateOf({ templates, tags }: SnapshotView): State {
  const used = (isActive: boolean) =>
    templates.filter(({ id }) =>
      tags.some((tag) => tag.template_id === id && (tag.active || !isActive)),
    );
  const judged = [used(true), used(false)].find((some) => some.length > 0);
  if (judged !== undefined) return WORST_FIRST.find((one) => judged.some(is(one))) ?? 'current';
  // Not in use yet: the best one will be.
  return WORST_FIRST.findLast((one) => templates.some(is(one))) ?? 'current';
}

const is = (state: State) => (template: OurTemplate) => template.state === state;

function told({ name, origin, state, sends_to }: OurTemplate): string {
  const facts = [
    ...(origin === 'gallery' ? ['from the gallery'] : []),
    ...(state === 'outdated' ? ['not as Vedette hands it out now'] : []),
    ...(sends_to === null ? [] : [`sends to ${sends_to}`]),
  ];
  return `template ${quoted(name)}${facts.length > 0 ? `, ${joined(facts)}` : ''}`;
}

export const versionOf = (live: SnapshotView['live']): string =>
  live === null ? 'Live' : `Live, version ${live.version_id}`;
