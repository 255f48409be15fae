import { expect, it } from 'vitest';
import { arrivalsOf } from '../../ui/src/pages/tag-manager/template/arrivals.ts';

const counted = (source: string, event_type: string, count: number, last_seen: string) => ({
  ...{ source, event_type, count, last_seen },
  first_seen: '2026-11-20T00:00:00.000Z',
});

it('of all that came, what the tag manager sent is told apart, with the latest of it', () => {
  const found = arrivalsOf([
    counted('backend', 'purchase', 900, '2026-11-21T12:00:00.000Z'),
    counted('gtm', 'page_view', 40, '2026-11-21T10:00:00.000Z'),
    counted('gtm', 'purchase', 2, '2026-11-21T11:00:00.000Z'),
    counted('gtm', 'refund', 0, '2026-11-21T11:30:00.000Z'),
  ]);
  expect(found).toEqual({
    total: 42,
    last: Date.parse('2026-11-21T11:00:00.000Z'),
    types: [
      { type: 'page_view', total: 40 },
      { type: 'purchase', total: 2 },
    ],
  });
});

it('nothing from the tag manager has no latest', () => {
  expect(arrivalsOf([counted('web', 'purchase', 1, '2026-11-21T10:00:00.000Z')])).toEqual({
    ...{ total: 0, last: undefined, types: [] },
  });
});
