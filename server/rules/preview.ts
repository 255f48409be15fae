import type { AnswerQuestions } from '../events/questions.ts';
import { createMutex } from '../platform/mutex.ts';
import { judge, questionsOf } from './evaluate.ts';
import type { Judged } from './evaluate.ts';
import type { Listening } from './listening.ts';
import type { LocalTime } from './local-time.ts';
import type { Moment } from './moment.ts';
import type { Preview, PreviewDraft, RuleState } from './schema.ts';
import { nextState, raisesAlert } from './state.ts';

const QUARTER = 15 * 60_000;
const DAY = 24 * 60 * 60_000;
/** So many cycles are judged before others get their turn. */
const AT_ONCE = 250;

export interface PreviewParts {
  answer: AnswerQuestions;
  listening: () => Listening;
  localTime: LocalTime;
  flusher: { flush(): Promise<void> };
  /** Days for which events of this tenant are kept. */
  retentionDays: (tenantId: string) => number;
}

/** What a rule would have done in the cycles of the past, judged just as the evaluator judges. */
export function createPreview(parts: PreviewParts) {
  const { answer, listening, localTime, flusher, retentionDays } = parts;
  // One at a time, so that somebody who types in the editor leaves the database to the others.
  const inTurn = createMutex();

  async function backtest(
    tenantId: string,
    { days, ...draft }: PreviewDraft,
    now: number,
  ): Promise<Preview> {
    await flusher.flush();
    const heard = listening();
    const rule: Judged = { ...draft, tenant_id: tenantId };
    const last = Math.floor(now / QUARTER) * QUARTER;
    const oldest = last - Math.min(days, retentionDays(tenantId)) * DAY;
    // Nothing is said about the time before there was a collector.
    const first = Math.max(oldest, Math.ceil((heard[0]?.from ?? now) / QUARTER) * QUARTER);
    const moments: Moment[] = [];
    for (let at = first + QUARTER; at <= last; at += QUARTER) {
      moments.push({ at, since: at - QUARTER, listening: heard, localTime });
    }

    const asked = await inTurns(moments, (moment) => questionsOf(rule, moment));
    const answers = await answer(asked.flat());
    const points: Preview['points'] = [];
    let state: RuleState | undefined;
    let next = 0;
    await inTurns(moments, (moment, i) => {
      const own = answers.slice(next, (next += asked[i]?.length ?? 0));
      const verdict = judge(rule, moment, own);
      state = nextState(state, verdict, { of: '', evaluatedAt: moment.at });
      const timestamp = new Date(moment.at).toISOString();
      points.push({ timestamp, ...verdict, alert: raisesAlert(state, rule.config) });
    });
    const fired = points.filter(({ alert }) => alert).length;
    return {
      from: new Date(Math.min(first, last)).toISOString(),
      to: new Date(last).toISOString(),
      fired,
      skipped: points.filter((point) => point.state === 'skipped').length,
      fired_a_day: points.length === 0 ? 0 : Number((fired / ((last - first) / DAY)).toFixed(2)),
      points,
    };
  }

  return (tenantId: string, draft: PreviewDraft, now: number): Promise<Preview> =>
    inTurn(() => backtest(tenantId, draft, now));
}

async function inTurns<T, R>(all: readonly T[], work: (one: T, index: number) => R): Promise<R[]> {
  const results: R[] = [];
  for (const [i, one] of all.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await new Promise(setImmediate);
    results.push(work(one, i));
  }
  return results;
}
