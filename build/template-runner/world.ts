import type { Grants } from './permissions.ts';

/** All that a scenario may look at or change. Each scenario has one of its own. */
export interface World {
  grants: Grants;
  page: { url: string; referrer: string; title: string; characterSet: string };
  window: Record<string, unknown>;
  cookies: Map<string, string>;
  localStorage: Map<string, string>;
  templateStorage: Map<string, unknown>;
  consent: {
    defaults: Map<string, unknown>;
    updated: Map<string, unknown>;
    listeners: { name: unknown; listener: unknown }[];
  };
  /** What the template required, by whatever way it came to the name. */
  required: Set<string>;
  /** What went to the console. */
  logged: unknown[][];
  /** Has a function called once the code that runs now has come to its end. */
  later: (callback: unknown, ...args: unknown[]) => void;
  /** Takes what is to be called later, in its order, one after the other. */
  nextTask: () => (() => void) | undefined;
}

export function createWorld(grants: Grants): World {
  const tasks: (() => void)[] = [];
  return {
    grants,
    page: {
      // Bare, and reached from nowhere: a template must find no campaign here that no test set.
      url: 'https://www.example.com/',
      referrer: '',
      title: 'Example',
      characterSet: 'UTF-8',
    },
    window: { dataLayer: [{ 'gtm.start': Date.now(), event: 'gtm.js', 'gtm.uniqueEventId': 1 }] },
    cookies: new Map(),
    localStorage: new Map(),
    templateStorage: new Map(),
    consent: { defaults: new Map(), updated: new Map(), listeners: [] },
    required: new Set(),
    logged: [],
    later: (callback, ...args) => {
      if (typeof callback === 'function')
        tasks.push(() => void Reflect.apply(callback, undefined, args));
    },
    nextTask: () => tasks.shift(),
  };
}
