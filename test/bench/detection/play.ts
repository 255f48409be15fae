import { MINUTE, QUARTER } from './calendar.ts';
import { isOutage } from './incidents.ts';
import type { Incident } from './incidents.ts';
import { openShop } from './shop.ts';
import type { Point, Raised } from './shop.ts';
import type { Traffic } from './traffic.ts';

/** The program ticks every 15 s; up to 45 s is no sleep, and this takes a third of the time. */
const TICK_MS = 44_000;
/** When in its minute a minute's events arrive. */
const ARRIVAL_MS = 30_000;
/** Where no cycle looks on, events are moved on four times a day. */
const FLUSH_MINUTES = 6 * 60;

export interface Span {
  from: number;
  to: number;
}

export interface Played {
  alerts: Raised[];
  pushes: Raised[];
  /** The quarters that had a cycle. */
  cycles: number[];
  /** How often each rule could not be judged. */
  skipped: Map<string, number>;
  /** What the program's own backtest says of the same month. */
  playedBack: Raised[];
}

/** Only events, and when somebody listened; the rules begin at the end of it. */
export async function playEvents(
  dir: string,
  span: Span,
  traffic: Traffic,
  incidents: readonly Incident[] = [],
) {
  const clock = { moment: span.from, now: () => clock.moment };
  const shop = await openShop(dir, clock);
  for (const { from, to } of heard(span, incidents)) {
    await shop.listened(from, to);
    for (let minute = from; minute < to;) {
      const sending: Promise<unknown>[] = [];
      for (let i = 0; i < FLUSH_MINUTES && minute < to; i++, minute += MINUTE) {
        clock.moment = minute + ARRIVAL_MS;
        sending.push(shop.send(eventsOf(minute, traffic, incidents)));
      }
      await Promise.all(sending);
      await shop.flush();
    }
  }
  clock.moment = span.to;
  await shop.close();
}

export async function setUpRules(dir: string, now: number): Promise<void> {
  const shop = await openShop(dir, { now: () => now });
  await shop.setUpRules();
  await shop.close();
}

/** What the rules would have found, by the program's own backtest of what is there. */
export async function playBack(dir: string, { from, to }: Span): Promise<Point[]> {
  const shop = await openShop(dir, { now: () => to });
  // A day more, since one of them has 25 hours.
  const points = await shop.backtest(Math.ceil((to - from) / (24 * 60 * MINUTE)) + 1);
  await shop.close();
  return points.filter(({ at }) => at > from);
}

/** The month in a tenth of the time: all events first, then the backtest instead of the cycles. */
export async function playQuickly(
  dir: string,
  span: Span,
  traffic: Traffic,
  incidents: readonly Incident[],
): Promise<Played> {
  await playEvents(dir, span, traffic, incidents);
  const points = await playBack(dir, span);
  const outages = incidents.filter(isOutage);
  const judged = points.filter(({ at }) => !outages.some(({ from, to }) => from < at && at <= to));
  const alerts = judged.filter(({ alert }) => alert).sort((a, b) => a.at - b.at);
  return {
    ...{ alerts, playedBack: alerts, pushes: [] },
    skipped: countedByRule(judged.filter(({ state }) => state === 'skipped')),
    cycles: [...new Set(judged.map(({ at }) => at))],
  };
}

/** The month itself: events arrive, the program ticks, and each quarter has its cycle. */
export async function playMonth(
  dir: string,
  span: Span,
  traffic: Traffic,
  incidents: readonly Incident[],
  reached: (moment: number) => void = () => undefined,
): Promise<Played> {
  const clock = { moment: span.from, now: () => clock.moment };
  let shop = await openShop(dir, clock);
  const pushes: Raised[] = [];
  let sending: Promise<unknown>[] = [];
  let due = span.from + 1000;

  /** A cycle comes a second after its quarter, when what was sent before is acknowledged. */
  async function tickUpTo(moment: number): Promise<void> {
    while (due < moment) {
      clock.moment = due;
      await Promise.all(sending);
      sending = [];
      await shop.tick();
      due = Math.min(due + TICK_MS, Math.ceil(due / QUARTER) * QUARTER + 1000);
    }
  }

  async function close(): Promise<void> {
    await Promise.all(sending);
    await shop.close();
    pushes.push(...shop.pushes);
  }

  for (let minute = span.from; minute < span.to;) {
    reached(minute);
    const outage = during(minute, incidents).find(isOutage);
    if (outage) {
      await tickUpTo(minute);
      if (outage.kind === 'off') await close();
      clock.moment = due = minute = outage.to;
      if (outage.kind === 'off') shop = await openShop(dir, clock);
      continue;
    }
    await tickUpTo(minute + ARRIVAL_MS);
    clock.moment = minute + ARRIVAL_MS;
    sending.push(shop.send(eventsOf(minute, traffic, incidents)));
    minute += MINUTE;
    await tickUpTo(minute);
  }
  await tickUpTo(span.to + 2000);

  const [alerts, evaluations] = [await shop.raised(), await shop.evaluations()];
  await close();
  const skipped = evaluations.flatMap((one) => one.skipped);
  return {
    ...{ alerts, pushes },
    skipped: countedByRule(skipped.map(({ rule_name: rule }) => ({ rule }))),
    cycles: evaluations.map(({ evaluated_at: time }) => Date.parse(time)),
    playedBack: (await playBack(dir, span)).filter(({ alert }) => alert),
  };
}

function countedByRule(found: readonly { rule: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { rule } of found) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
}

const during = (minute: number, incidents: readonly Incident[]) =>
  incidents.filter(({ from, to }) => from <= minute && minute < to);

const eventsOf = (minute: number, traffic: Traffic, incidents: readonly Incident[]) =>
  during(minute, incidents).reduce(
    (events, { change }) => change(events, minute),
    traffic.of(minute),
  );

/** The parts of a time between the outages. */
function heard({ from, to }: Span, incidents: readonly Incident[]): Span[] {
  const spans: Span[] = [];
  let start = from;
  for (const outage of incidents.filter(isOutage)) {
    spans.push({ from: start, to: outage.from });
    start = outage.to;
  }
  return [...spans, { from: start, to }];
}
