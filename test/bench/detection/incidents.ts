import { at } from './calendar.ts';
import { chanceFor } from './chance.ts';
import type { ShopEvent, Traffic } from './traffic.ts';

/**
 * fault: tracking is broken, and somebody should hear of it. sale: it is real, but worth a word.
 * asleep: the machine sleeps, the process lives on. off: it is stopped and started again.
 */
export type Kind = 'fault' | 'sale' | 'asleep' | 'off';

export interface Incident {
  name: string;
  kind: Kind;
  from: number;
  to: number;
  /** The event types that it changes; all of them when not given. */
  touches?: readonly ShopEvent['event_type'][];
  /** What becomes of the events of a minute within it. */
  change: (events: ShopEvent[], minute: number) => ShopEvent[];
  /** The rules that an analyst would expect to hear from. */
  expected: readonly string[];
}

const DECLINE_FROM = 15;
/** What is left of the checkouts on each day. */
const DECLINE = [0.85, 0.7, 0.55, 0.4, 0.3];
/** Days at most 25 hours long, counted from their start. */
const dayAt = (moment: number) => DECLINE.findLastIndex((_, i) => at(DECLINE_FROM + i) <= moment);

/** From a quarter to seven on, in the busy morning. */
const OUTAGE_HOURS = 7;

export function planIncidents(
  seed: number,
  traffic: Traffic,
  outageHours = OUTAGE_HOURS,
): Incident[] {
  const nothing = () => [];
  const unless = (gone: (event: ShopEvent) => boolean) => (events: ShopEvent[]) =>
    events.filter((event) => !gone(event));

  return [
    {
      name: 'asleep',
      kind: 'asleep',
      ...{ from: at(0, 6, 37), to: at(0, 6 + outageHours, 41), change: nothing, expected: [] },
    },
    {
      name: 'off',
      kind: 'off',
      ...{ from: at(1, 6, 52), to: at(1, 6 + outageHours, 49), change: nothing, expected: [] },
    },
    {
      name: 'tag stops',
      kind: 'fault',
      ...{ from: at(5, 10, 10), to: at(5, 16, 10) },
      touches: ['add_to_cart'],
      change: unless((event) => event.event_type === 'add_to_cart' && event.source === 'gtm'),
      expected: ['Carts stopped', 'Carts drop'],
    },
    {
      name: 'field gone',
      kind: 'fault',
      ...{ from: at(8, 11, 20), to: at(8, 16, 20) },
      touches: ['purchase'],
      change: (events) =>
        events.map((event) =>
          event.event_type === 'purchase'
            ? { ...event, data: { ...event.data, currency: undefined } }
            : event,
        ),
      expected: ['Purchases lack fields'],
    },
    {
      name: 'doubled tag',
      kind: 'fault',
      ...{ from: at(12, 9, 5), to: at(12, 17, 5) },
      touches: ['page_view'],
      change: (events) =>
        events.flatMap((event) => (event.event_type === 'page_view' ? [event, event] : [event])),
      expected: ['Page views rise'],
    },
    {
      name: 'decline',
      kind: 'fault',
      ...{ from: at(DECLINE_FROM), to: at(DECLINE_FROM + DECLINE.length) },
      touches: ['begin_checkout'],
      change(events, minute) {
        const chance = chanceFor(seed, 'decline', minute);
        const left = DECLINE[dayAt(minute)] ?? 1;
        return events.filter(
          (event) => event.event_type !== 'begin_checkout' || chance.chance(left),
        );
      },
      expected: ['Checkouts: day against last week', 'Checkouts: day against week'],
    },
    {
      name: 'sale',
      kind: 'sale',
      ...{ from: at(26), to: at(27) },
      change: (events, minute) => [
        ...events,
        ...traffic.of(minute, 'second'),
        ...traffic.of(minute, 'third'),
      ],
      expected: [],
    },
  ];
}

export const isOutage = ({ kind }: { kind: Kind }) => kind === 'asleep' || kind === 'off';
