import type { Answer, AnswerQuestions, Question } from '../events/questions.ts';
import type { View } from '../platform/settings-file.ts';
import { judgeMissingField, missingFieldQuestions } from './missing-field.ts';
import type { Moment } from './moment.ts';
import type { Judgement, RuleDraft } from './schema.ts';
import { inTurns } from '../platform/turns.ts';
import { judgeThreshold, thresholdQuestions } from './threshold.ts';
import { skipped } from './verdict.ts';
import { judgeVolume, volumeQuestions } from './volume.ts';

export interface Subject {
  rule: Judged;
  moment: Moment;
}

export type Judged = View<RuleDraft> & { readonly tenant_id: string };

/**
 * The verdicts on these rules. One that cannot be judged is skipped with its reason, and the
 * others are not the worse for it.
 */
export async function verdictsOn(
  subjects: readonly Subject[],
  answer: AnswerQuestions,
): Promise<Judgement[]> {
  const asked = await inTurns(subjects, ({ rule, moment }) =>
    tried(() => questionsOf(rule, moment)),
  );
  const answers = await answer(asked.flatMap((one) => ('broken' in one ? [] : one)));
  let next = 0;
  return inTurns(subjects, ({ rule, moment }, i) => {
    const questions = asked[i] ?? [];
    if ('broken' in questions) return questions.broken;
    const own = answers.slice(next, (next += questions.length));
    const verdict = tried(() => judge(rule, moment, own));
    return 'broken' in verdict ? verdict.broken : verdict;
  });
}

function tried<T>(work: () => T): T | { broken: Judgement } {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { broken: skipped(`could not be judged: ${reason.slice(0, 500)}`) };
  }
}

/** Everything that a verdict on this rule depends on, besides the moment. */
export function questionsOf(rule: Judged, moment: Moment): Question[] {
  switch (rule.rule_type) {
    case 'threshold':
      return thresholdQuestions(rule.tenant_id, rule.config, moment);
    case 'missing_field':
      return missingFieldQuestions(rule.tenant_id, rule.config, moment);
    case 'volume':
      return volumeQuestions(rule.tenant_id, rule.config, moment);
  }
}

/** The verdict that follows from the answers to those questions, in their order. */
export function judge(rule: Judged, moment: Moment, answers: readonly Answer[]): Judgement {
  const fault = answers.find((answer) => answer instanceof Error);
  if (fault !== undefined) throw fault;
  const numbers = answers as readonly (number | null)[];
  switch (rule.rule_type) {
    case 'threshold':
      return judgeThreshold(rule.config, moment, numbers);
    case 'missing_field':
      return judgeMissingField(rule.config, moment, numbers);
    case 'volume':
      return judgeVolume(rule.config, moment, numbers);
  }
}
