import type { Bus } from './bus.ts';

const PATH = '/org/freedesktop/login1';
const MANAGER = 'org.freedesktop.login1.Manager';

/** A machine that can be sent to sleep: what says so to all programs. */
export async function offerSleep(bus: Bus) {
  await bus.offer(
    'org.freedesktop.login1',
    PATH,
    { name: MANAGER, methods: { Inhibit: ['ssss', 's'] }, signals: { PrepareForSleep: ['b'] } },
    { Inhibit: () => '' },
  );
  const say = (isGoing: boolean) => bus.signal(PATH, MANAGER, 'PrepareForSleep', 'b', [isGoing]);
  return { fallAsleep: () => say(true), wakeUp: () => say(false) };
}
