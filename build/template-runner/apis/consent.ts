import { isPlainObject } from '../values.ts';
import type { World } from '../world.ts';
import type { Apis, Asked } from './api.ts';

/** These stand among the kinds of consent, and are none. */
const SETTINGS = ['region', 'wait_for_update'];

const kindsIn = (given: unknown) =>
  Object.entries(isPlainObject(given) ? given : {}).filter(([name]) => !SETTINGS.includes(name));

const writes = (given: unknown) =>
  kindsIn(given).map(([name]): Asked => ['access_consent', name, 'write']);

const reads = (name: unknown): Asked[] => [['access_consent', name, 'read']];

/** What nobody has said anything about is granted; anything that is said but that is a denial. */
function isGranted({ consent: { updated, defaults } }: World, name: string): boolean {
  return [undefined, 'granted'].includes((updated.get(name) ?? defaults.get(name)) as string);
}

function update(world: World, given: unknown) {
  for (const [name, state] of kindsIn(given)) {
    const before = isGranted(world, name);
    world.consent.updated.set(name, state);
    const after = isGranted(world, name);
    if (before === after) continue;
    for (const one of world.consent.listeners.filter((listener) => listener.name === name))
      world.later(one.listener, name, after);
  }
}

/** Consent as the visitor and the page gave it. */
export const consent: Apis = {
  addConsentListener: {
    needs: 'access_consent',
    asks: reads,
    run: (world, name, listener) => void world.consent.listeners.push({ name, listener }),
  },
  isConsentGranted: {
    needs: 'access_consent',
    asks: reads,
    run: (world, name) => isGranted(world, String(name)),
  },
  setDefaultConsentState: {
    needs: 'access_consent',
    asks: writes,
    run: ({ consent: { defaults } }, given) => {
      // Where the page's visitor is, nobody knows here, so what holds for a region only is left.
      if (isPlainObject(given) && given.region !== undefined) return;
      for (const [name, state] of kindsIn(given)) defaults.set(name, state);
    },
  },
  updateConsentState: { needs: 'access_consent', asks: writes, run: update },
};
