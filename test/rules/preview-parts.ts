import { createLocalTime } from '../../server/rules/local-time.ts';
import type { Moment } from '../../server/rules/moment.ts';
import { createPreview } from '../../server/rules/preview.ts';
import { previewDraft } from '../../server/rules/schema.ts';
import type { Preview, Span } from '../../server/rules/schema.ts';
import type { Judged } from '../../server/rules/evaluate.ts';
import { openAnswers } from '../events/answers-parts.ts';
import { DAY, NOON } from './parts.ts';

export const QUARTER = 15 * 60_000;
const localTime = createLocalTime('Europe/Berlin');

/** The draft of a rule as it is sent to the preview. */
export const draftOf = ({ rule_type, config }: Judged, days = 1) =>
  previewDraft.parse({ rule_type, config, days });

/** A preview over an event store, of a collector that listened so; always, when not given. */
export async function openPreview({ retentionDays = 90 } = {}) {
  const store = await openAnswers();
  const heard = { listening: [{ from: 0, to: NOON + DAY }] as readonly Span[] };
  let flushes = 0;
  const preview = createPreview({
    answer: store.answer,
    listening: () => heard.listening,
    localTime,
    flusher: {
      async flush() {
        flushes++;
      },
    },
    keptDays: () => ({ events: retentionDays, counts: 400 }),
  });
  return {
    ...store,
    heard,
    flushes: () => flushes,
    run: (
      rule: Judged,
      { days = 1, now = NOON, ...more }: { days?: number; now?: number; until?: string } = {},
    ): Promise<Preview> => preview(rule.tenant_id, { ...draftOf(rule, days), ...more }, now),
    /** The moments of the cycles after `from`, up to and with `to`. */
    cycles: (from: number, to: number): Moment[] =>
      Array.from({ length: Math.floor((to - from) / QUARTER) }, (_, i) => {
        const at = from + (i + 1) * QUARTER;
        return { at, since: at - QUARTER, listening: heard.listening, localTime };
      }),
  };
}
