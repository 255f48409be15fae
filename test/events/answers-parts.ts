import { createAnswers } from '../../server/events/answers.ts';
import { createCountStore } from '../../server/events/count-store.ts';
import { sealed } from '../../server/events/intake.ts';
import { createPayloadStore } from '../../server/events/payload-store.ts';
import type { Measure, Question } from '../../server/events/questions.ts';
import { sharedStore } from '../helpers/event-store.ts';

export const NOON = Date.UTC(2026, 0, 31, 12);
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Received {
  at: number;
  tenant?: string;
  event_type?: string;
  source?: string;
  /** JSON as it is sent, so that it may be what no JavaScript value is. */
  data?: string;
}

type Asked = Partial<Question> & { measure?: Measure };

/** A question about all purchases of the hour from noon, unless said otherwise. */
export const about = (given: Asked = {}): Question => ({
  ...{ tenant: 'tenant', event_type: 'purchase' },
  ...{ from: NOON, to: NOON + HOUR, measure: { of: 'count' } },
  ...given,
});

/** What answers questions about events of whoever opened it, each received at its own time. */
export async function openAnswers() {
  const shared = await sharedStore();
  const { clock, database, store, names, intake, flusher, tenant: opener } = shared;
  const answers = createAnswers({
    counts: createCountStore(database, names),
    payloads: createPayloadStore(database),
  });
  const own = (tenant: string) => `${opener}-${tenant}`;
  const answer = (questions: readonly Question[]) =>
    answers(questions.map((question) => ({ ...question, tenant: own(question.tenant) })));

  /** Receives each event at its own time, to the millisecond. */
  async function receive(events: readonly Received[]): Promise<void> {
    const accepted = events.map(({ at, tenant = 'tenant', data = '{}', ...names }) => {
      clock.time = at;
      const { event_type = 'purchase', source = 'shop' } = names;
      const [type, origin] = [JSON.stringify(event_type), JSON.stringify(source)];
      const text = `[{"event_type":${type},"source":${origin},"data":${data}}]`;
      return intake.batch(own(tenant), sealed(text));
    });
    await Promise.all(accepted);
    await flusher.flush();
  }

  const ask = (...questions: readonly Asked[]) => answer(questions.map(about));

  const forget = (before: number, counts: number) => store.forget(own('tenant'), before, counts);
  const nameAtMost = (most: number) => shared.most.set(own('tenant'), most);
  return { ...shared, tenant: own('tenant'), answer, receive, ask, forget, nameAtMost };
}
