import type { Intake } from '../../server/events/intake.ts';
import { sealed } from '../../server/events/intake.ts';
import type { HttpError } from '../../server/platform/errors.ts';
import { CONTAINER } from './catalogue.ts';
import { DAYS, HOUR, localTime } from './story.ts';
import type { Story } from './story.ts';

export interface Flaw {
  door: 'events' | 'collect';
  payload: string;
}

/** What senders get wrong now and then. */
export const FLAWS: readonly Flaw[] = [
  {
    door: 'events',
    payload: JSON.stringify([
      { source: 'backend', data: { transaction_id: 'NO-488112', value: 129.9, currency: 'EUR' } },
    ]),
  },
  {
    door: 'events',
    payload:
      '[{"source":"app","event_type":"screen_view","data":{"screen":"cart","items":[{"item_id":"NL-11050","price":79.9}}]',
  },
  {
    door: 'collect',
    payload: JSON.stringify({
      source: 'gtm',
      source_id: CONTAINER,
      events: [{ timestamp: 1_790_000_000_000, data: { page: { path: '/de/c/tents' } } }],
    }),
  },
  {
    door: 'events',
    payload: JSON.stringify([
      { source: 'newsletter', event_type: 'open', data: 'campaign=autumn-layers' },
    ]),
  },
  {
    door: 'collect',
    payload: '{"source":"gtm","events":[{"type":"view_item","data":{"value":NaN}}]}',
  },
  {
    door: 'events',
    payload: JSON.stringify({
      ...{ source: 'backend', event_type: 'refund' },
      data: { transaction_id: 'NO-487903', value: 49.9, currency: 'EUR' },
    }),
  },
];

interface Parts {
  intake: Intake;
  tenantId: string;
  story: Story;
  clock: { moment: number };
}

/** The handful of the past: judged for real, each at its time. */
export async function refuseSome({ intake, tenantId, story, clock }: Parts): Promise<void> {
  for (let i = 0, day = DAYS - 2; day > 0; i++, day -= 2) {
    const flaw = FLAWS[(i * 5) % FLAWS.length] as Flaw;
    const at = localTime(story.now, day, 8 + (i % 11), (i * 17) % 60) + i * 1_234;
    clock.moment = Math.min(at, story.now - HOUR);
    await refused(intake, tenantId, flaw);
  }
}

async function refused(intake: Intake, tenantId: string, { door, payload }: Flaw): Promise<void> {
  try {
    const text = sealed(payload);
    await (door === 'events' ? intake.batch(tenantId, text) : intake.pixel(tenantId, text));
  } catch (error) {
    await intake.refused(tenantId, door, error as HttpError, Buffer.from(payload));
  }
}
