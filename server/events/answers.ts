import type { CountStore } from './count-store.ts';
import type { PayloadQuestion, PayloadStore } from './payload-store.ts';
import type { Answer, AnswerQuestions, Question } from './questions.ts';

/** Hands each question to the store that can answer it, all of one kind at once. */
export function createAnswers({
  counts,
  payloads,
}: {
  counts: CountStore;
  payloads: PayloadStore;
}): AnswerQuestions {
  return async (questions) => {
    const counted = questions.filter((question) => !isOfPayload(question));
    const looked = questions.filter(isOfPayload);
    const answers = new Map<Question, Answer>();
    const numbers = await counts.counts(counted);
    counted.forEach((question, i) => answers.set(question, numbers[i] ?? 0));
    const found = await payloads.measured(looked);
    looked.forEach((question, i) => answers.set(question, found[i] ?? null));
    return questions.map((question) => answers.get(question) ?? null);
  };
}

function isOfPayload(question: Question): question is PayloadQuestion {
  return question.measure.of !== 'count';
}
