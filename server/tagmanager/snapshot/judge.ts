import { templateFor } from '../template.ts';
import { oursIn } from './ours.ts';
import type { Objects, Ours } from './ours.ts';
import { createOverview } from './overview.ts';
import type { Overview } from './overview.ts';
import type { SnapshotView } from './schema.ts';
import type { Live, Snapshot } from './store.ts';

export interface Judged extends Snapshot {
  /** Made when it is first asked for. */
  overview: () => Overview;
}

interface Parts {
  /** Where this appliance is reached. */
  addresses: () => readonly string[];
  /** The template as it is handed out, for whatever address. */
  template?: string;
}

export type Judge = ReturnType<typeof createJudge>;

/**
 * Says what is ours in a snapshot: each time by what holds then, since the addresses and the
 * template may be others than when it was taken.
 */
export function createJudge({ addresses, template = templateFor('https://any.example') }: Parts) {
  const known = new WeakMap<Snapshot, { by: string; judged: Judged }>();
  const oursOf = (objects: Objects) => oursIn(objects, { template, addresses: addresses() });

  return {
    oursOf,

    judged: (snapshot: Snapshot): Judged => {
      const by = addresses().join(' ');
      const before = known.get(snapshot);
      if (before?.by === by) return before.judged;
      const ours = oursOf(snapshot.objects);
      let overview: Overview | undefined;
      const judged = {
        ...snapshot,
        view: viewOf(snapshot, ours, oursOf),
        overview: () => (overview ??= createOverview(snapshot, ours)),
      };
      known.set(snapshot, { by, judged });
      return judged;
    },
  };
}

function viewOf(
  { view, live }: Snapshot,
  ours: Ours,
  oursOf: (objects: Objects) => Ours,
): SnapshotView {
  const liveView = ({ version_id, name, objects }: Live) => ({
    version_id,
    name,
    ...oursOf(objects),
  });
  return {
    ...view,
    ...ours,
    template_present: ours.templates.length > 0,
    tag_active: ours.tags.some(({ active }) => active),
    live: live && liveView(live),
  };
}
