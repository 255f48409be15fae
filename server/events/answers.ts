import { HttpError } from '../platform/errors.ts';
import type { CountStore } from './count-store.ts';
import type { PayloadQuestion, PayloadStore } from './payload-store.ts';
import type { Answer, AnswerQuestions, Question } from './questions.ts';
import { entry } from './sums.ts';

type Ask<Q> = (questions: readonly Q[]) => Promise<Answer[]>;

/** Hands each question to the store that can answer it, all of one kind at once. */
export function createAnswers({
  counts,
  payloads,
}: {
  counts: CountStore;
  payloads: PayloadStore;
}): AnswerQuestions {
  const counted: Ask<Question> = (questions) =>
    counts.counts(questions).catch((error: unknown) => {
      if (isNobodysFault(error)) throw error;
      return typeByType(questions, (alike) => counts.counts(alike));
    });

  return async (questions) => {
    const looked = questions.filter(isOfPayload);
    const others = questions.filter((question) => !isOfPayload(question));
    const answers = new Map<Question, Answer>();
    const found = [
      await counted(others),
      await typeByType(looked, (alike) => payloads.measured(alike)),
    ].flat();
    [...others, ...looked].forEach((question, i) => answers.set(question, found[i] ?? null));
    return questions.map((question) => answers.get(question) ?? null);
  };
}

/** A query that fails spoils the answers about its event type, and no others. */
async function typeByType<Q extends Question>(
  questions: readonly Q[],
  ask: Ask<Q>,
): Promise<Answer[]> {
  const types = new Map<string, Q[]>();
  for (const question of questions) {
    // A tenant's id has no blank.
    entry(types, `${question.tenant} ${question.event_type}`, () => []).push(question);
  }
  const answers = new Map<Q, Answer>();
  for (const alike of types.values()) {
    const found = await ask(alike).catch((error: unknown) => {
      if (isNobodysFault(error)) throw error;
      return alike.map(() => (error instanceof Error ? error : new Error(String(error))));
    });
    alike.forEach((question, i) => answers.set(question, found[i] ?? null));
  }
  return questions.map((question) => answers.get(question) ?? null);
}

/** The database is closing or being mended: all of it must be asked again, later. */
function isNobodysFault(error: unknown): boolean {
  return error instanceof HttpError && error.status === 503;
}

function isOfPayload(question: Question): question is PayloadQuestion {
  return question.measure.of !== 'count';
}
