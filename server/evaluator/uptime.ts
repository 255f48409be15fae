import type { Clock } from '../platform/clock.ts';
import type { Listening } from '../rules/listening.ts';
import type { Span } from '../rules/schema.ts';
import type { EvaluatorStore } from './store.ts';

export const TICK_MS = 15_000;
/** A tick that is later than this was held up by sleep, not by work. */
const ASLEEP_MS = 45_000;
const SAVE_MS = 60_000;

interface Parts {
  store: Pick<EvaluatorStore, 'listening' | 'keepSpan'>;
  clock: Clock;
  /** Whether what is sent can be taken: with a full disk nobody listens either. */
  listens: () => boolean;
  log: { error(fields: object, message: string): void };
}

interface Growing extends Span {
  to: number;
}

/**
 * When the collector was listening. A tick every few seconds carries the present span on; when it
 * comes late, the machine slept, and a new span begins.
 */
export async function openUptime({ store, clock, listens, log }: Parts) {
  const past = merged(await store.listening());
  let present: Growing | undefined;
  let saved = -Infinity;

  async function tick(): Promise<void> {
    const now = clock.now();
    if (present && now < present.to) await takeBack(now);
    const ended = present && (isBroken(present, now) || !listens()) ? present : undefined;
    if (ended) {
      past.push(ended);
      present = undefined;
    }
    if (present) present.to = now;
    else if (listens()) present = { from: now, to: now };

    if (ended) await save(ended);
    if (present && (present.from === now || now - saved >= SAVE_MS)) await save(present);
  }

  /** The clock was ahead and was set right: nobody has listened yet in what is to come. */
  async function takeBack(now: number): Promise<void> {
    const all = present ? [...past, present] : [...past];
    present = undefined;
    past.length = 0;
    const cuts = all.map(({ from, to }) => ({ from, to: Math.max(from, Math.min(to, now)) }));
    // All of it before anything is saved, since others tick meanwhile.
    past.push(...cuts.filter(({ from }) => from < now));
    for (const [i, cut] of cuts.entries()) if (cut.to !== all[i]?.to) await save(cut);
  }

  async function save(span: Span): Promise<void> {
    saved = span.to;
    await store.keepSpan(span).catch((error: unknown) => {
      // At worst, after a restart this counts as not listened to.
      log.error({ err: error }, 'The uptime of the collector cannot be written down');
    });
  }

  if (past.some(({ to }) => to > clock.now())) await takeBack(clock.now());

  return {
    tick,
    isOn: (): boolean => present !== undefined,
    /** As it is known now; what goes on at this moment goes on up to `until`. */
    listening: (until = 0): Listening =>
      present ? merged([...past, { ...present, to: Math.max(present.to, until) }]) : past,
    async close(): Promise<void> {
      await tick();
      if (present) await save(present);
    },
  };
}

export type Uptime = Awaited<ReturnType<typeof openUptime>>;

function isBroken({ to }: Span, now: number): boolean {
  return now - to > ASLEEP_MS;
}

/** A clock that was set back makes spans overlap. */
function merged(spans: readonly Span[]): Span[] {
  const inOrder = [...spans].sort((a, b) => a.from - b.from);
  const result: Growing[] = [];
  for (const { from, to } of inOrder) {
    const last = result.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}
