import { isPlainObject } from '../values.ts';
import type { World } from '../world.ts';
import type { Apis, Asked } from './api.ts';

const local =
  (action: string) =>
  (key: unknown): Asked[] => [['access_local_storage', action, key]];

function cookiesNamed({ cookies }: World, name: unknown, decode: unknown): string[] {
  const found = cookies.get(String(name));
  if (found === undefined) return [];
  try {
    return [decode === false ? found : decodeURIComponent(found)];
  } catch {
    return [found];
  }
}

/** A cookie whose end is now or was before is deleted by that. */
function timeLeft({ 'max-age': seconds, expires }: Record<string, unknown>): number {
  if (seconds !== undefined) return Number(seconds);
  return typeof expires === 'string' ? Date.parse(expires) - Date.now() : Infinity;
}

function setCookie(
  { cookies }: World,
  name: unknown,
  value: unknown,
  given: unknown,
  encode: unknown,
) {
  const options = isPlainObject(given) ? given : {};
  if (timeLeft(options) > 0)
    cookies.set(String(name), encode === false ? String(value) : encodeURIComponent(String(value)));
  else cookies.delete(String(name));
}

/** What the analytics cookies tell: the client, and a session for each property. */
function analyticsStorage({ cookies }: World) {
  const client = /^GA\d\.\d+\.(.+)$/.exec(cookies.get('_ga') ?? '')?.[1];
  const sessions = [...cookies].flatMap(([name, value]) => {
    const property = /^_ga_(.+)$/.exec(name)?.[1];
    const [, id, number] = /^GS\d\.\d+\.s?(\d+)[.$]o?(\d+)/.exec(value) ?? [];
    return property === undefined || id === undefined
      ? []
      : [{ measurement_id: `G-${property}`, session_id: id, session_number: Number(number) }];
  });
  return { ...(client === undefined ? {} : { client_id: client }), sessions };
}

/** What stays on the visitor's machine, or with the template. */
export const storage: Apis = {
  getCookieValues: {
    needs: 'get_cookies',
    asks: (name) => [['get_cookies', name]],
    run: cookiesNamed,
  },
  localStorage: {
    needs: 'access_local_storage',
    methods: {
      getItem: {
        asks: local('read'),
        run: ({ localStorage }, key) => localStorage.get(String(key)) ?? null,
      },
      removeItem: {
        asks: local('write'),
        run: ({ localStorage }, key) => void localStorage.delete(String(key)),
      },
      setItem: {
        asks: local('write'),
        run: ({ localStorage }, key, value) =>
          Boolean(localStorage.set(String(key), String(value))),
      },
    },
  },
  readAnalyticsStorage: { needs: 'read_analytics_storage', run: analyticsStorage },
  setCookie: {
    needs: 'set_cookies',
    asks: (name, _value, options) => [['set_cookies', name, options]],
    run: setCookie,
  },
  templateStorage: {
    needs: 'access_template_storage',
    methods: {
      clear: {
        needs: 'access_template_storage',
        run: ({ templateStorage }) => templateStorage.clear(),
      },
      getItem: {
        needs: 'access_template_storage',
        run: ({ templateStorage }, key) => templateStorage.get(String(key)) ?? null,
      },
      removeItem: {
        needs: 'access_template_storage',
        run: ({ templateStorage }, key) => void templateStorage.delete(String(key)),
      },
      setItem: {
        needs: 'access_template_storage',
        run: ({ templateStorage }, key, value) => Boolean(templateStorage.set(String(key), value)),
      },
    },
  },
};
