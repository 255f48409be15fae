import type { Events } from '../../server/events/events.ts';
import type { Answer, AnswerQuestions, Question } from '../../server/events/questions.ts';
import { questionsOf } from '../../server/rules/evaluate.ts';
import { createLocalTime } from '../../server/rules/local-time.ts';
import { QUARTER } from '../../server/rules/quarter.ts';
import type { RuleStore } from '../../server/rules/store.ts';
import { DAY, heard } from './story.ts';
import type { Story } from './story.ts';

interface Parts {
  story: Story;
  events: Events;
  rules: RuleStore;
}

/** Asks for all cycles of a portion at once; nothing arrives meanwhile that could change it. */
export function foreseeing({ story, events, rules }: Parts) {
  const known = new Map<string, Answer>();
  const localTime = createLocalTime(Intl.DateTimeFormat().resolvedOptions().timeZone);

  let portion: readonly number[] = [];

  const remembered = (questions: readonly Question[]): Answer[] | undefined => {
    const found = questions.map((question) => known.get(keyOf(question)));
    return found.includes(undefined) ? undefined : (found as Answer[]);
  };

  const answer: AnswerQuestions = async (questions) => {
    // A rule that was made meanwhile has questions of its own, also in the cycles to come.
    if (!remembered(questions)) await foresee(portion);
    return remembered(questions) ?? events.answer(questions);
  };

  async function foresee(times: readonly number[]): Promise<void> {
    portion = times;
    const questions = times.flatMap((at) => {
      const kept = { keptSince: at - 90 * DAY, countedSince: at - 400 * DAY };
      const moment = { at, since: at - QUARTER, ...kept, listening: heard(story, at), localTime };
      return rules.active().flatMap((rule) => questionsOf(rule, moment));
    });
    const answers = await events.answer(questions);
    known.clear();
    questions.forEach((question, i) => known.set(keyOf(question), answers[i] ?? null));
  }

  return { answer, foresee };
}

const keyOf = ({ event_type: type, source = '', from, to, measure }: Question) =>
  [type, source, from, to, ...Object.values(measure)].join(' ');
