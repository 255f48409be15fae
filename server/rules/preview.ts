import type { AnswerQuestions } from '../events/questions.ts';
import { currentAsker, endIfNobodyWaits } from '../platform/asker.ts';
import { createKeyedMutex } from '../platform/mutex.ts';
import { inTurns } from '../platform/turns.ts';
import { questionsOf, verdictsOn } from './evaluate.ts';
import type { Judged } from './evaluate.ts';
import type { Listening } from './listening.ts';
import type { LocalTime } from './local-time.ts';
import type { KeptDays, Moment } from './moment.ts';
import { QUARTER, quarterOf } from './quarter.ts';
import type { Preview, PreviewDraft, RuleState } from './schema.ts';
import { nextState, raisesAlert } from './state.ts';
import { verdictOf } from './verdict.ts';

const DAY = 24 * 60 * 60_000;

/** More of them would hold up everything else; a rule on many fields is followed less far back. */
const MAX_QUESTIONS = 30_000;

export interface PreviewParts {
  answer: AnswerQuestions;
  listening: (until: number) => Listening;
  localTime: LocalTime;
  flusher: { flush: (tenantId: string) => Promise<void> };
  keptDays: KeptDays;
}

/** What a rule would have done in the cycles of the past, judged just as the evaluator judges. */
export function createPreview(parts: PreviewParts) {
  const { answer, listening, localTime, flusher, keptDays } = parts;
  // One at a time for each who asks: their questions take room, and who types on leaves the last.
  const inTurn = createKeyedMutex();

  async function backtest(
    tenantId: string,
    { days, until, ...draft }: PreviewDraft,
    now: number,
  ): Promise<Preview> {
    endIfNobodyWaits();
    await flusher.flush(tenantId);
    endIfNobodyWaits();
    const heard = listening(now);
    const rule: Judged = { ...draft, tenant_id: tenantId };
    const newest = quarterOf(now);
    const last = until === undefined ? newest : Math.min(quarterOf(Date.parse(until)), newest);
    const { events, counts } = keptDays(tenantId);
    const kept = { keptSince: newest - events * DAY, countedSince: newest - counts * DAY };
    const questions = questionsOf(rule, { at: newest, listening: heard, localTime }).length;
    const reach = Math.floor(MAX_QUESTIONS / questions) * QUARTER;
    // Nothing is said about the time before there was a collector.
    const since = Math.max(kept.keptSince, heard[0]?.from ?? now);
    const from = Math.max(last - Math.min(days * DAY, reach), since);
    const moments: Moment[] = [];
    for (let at = quarterOf(from) + QUARTER; at <= last; at += QUARTER) {
      moments.push({ at, since: at - QUARTER, ...kept, listening: heard, localTime });
    }

    const verdicts = await verdictsOn(
      moments.map((moment) => ({ rule, moment })),
      answer,
    );
    let state: RuleState | undefined;
    const points = await inTurns(verdicts, (verdict, i): Preview['points'][number] => {
      const { at } = moments[i] as Moment;
      state = nextState(state, verdict, { of: '', evaluatedAt: at });
      const timestamp = new Date(at).toISOString();
      return { timestamp, ...verdictOf(verdict), alert: raisesAlert(state, rule.config) };
    });
    const fired = points.filter(({ alert }) => alert).length;
    return {
      from: new Date(Math.min(from, last)).toISOString(),
      to: new Date(last).toISOString(),
      fired,
      skipped: points.filter((point) => point.state === 'skipped').length,
      fired_a_day:
        points.length === 0 ? 0 : Number(((fired / points.length) * (DAY / QUARTER)).toFixed(2)),
      points,
    };
  }

  return (tenantId: string, draft: PreviewDraft, now: number): Promise<Preview> =>
    inTurn(currentAsker()?.owner ?? '', () => backtest(tenantId, draft, now));
}
