import type { Answer, Question } from '../events/questions.ts';
import type { View } from '../platform/settings-file.ts';
import { judgeMissingField, missingFieldQuestions } from './missing-field.ts';
import type { Moment } from './moment.ts';
import type { RuleDraft, Verdict } from './schema.ts';
import { judgeThreshold, thresholdQuestions } from './threshold.ts';
import { judgeVolume, volumeQuestions } from './volume.ts';

export type Judged = View<RuleDraft> & { readonly tenant_id: string };

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
export function judge(rule: Judged, moment: Moment, answers: readonly Answer[]): Verdict {
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
