import { text } from './language/values.ts';
import { urlMatches } from './url-patterns.ts';
import { isPlainObject } from './values.ts';

/** What a template is permitted: each permission's name with its settings. */
export type Grants = Map<string, Settings>;
type Settings = Record<string, unknown>;

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const strings = (value: unknown) => list(value).filter((item) => typeof item === 'string');
const records = (value: unknown) => list(value).filter(isPlainObject);

/** A value of the tag manager's own notation: 1 string, 2 list, 3 map, 8 boolean. */
function plain(value: unknown): unknown {
  if (!isPlainObject(value)) return undefined;
  if (value.type === 2) return list(value.listItem).map(plain);
  if (value.type === 3) {
    const values = list(value.mapValue).map(plain);
    return Object.fromEntries(list(value.mapKey).map((key, i) => [String(plain(key)), values[i]]));
  }
  return value.type === 8 ? value.boolean : value.string;
}

/** The permissions of a template's section, in a form to look things up in. */
export function grantsIn(section: unknown): Grants {
  const grants: Grants = new Map();
  for (const { instance } of records(section)) {
    if (!isPlainObject(instance) || !isPlainObject(instance.key)) continue;
    const settings = records(instance.param).map(({ key, value }) => [String(key), plain(value)]);
    grants.set(String(instance.key.publicId), Object.fromEntries(settings) as Settings);
  }
  return grants;
}

/** `foo.*` means foo and all below it. */
const keyMatches = (key: string, patterns: string[]) =>
  patterns.some((pattern) => {
    if (!pattern.endsWith('*')) return pattern === key;
    const start = pattern.slice(0, -1);
    return key.startsWith(start) || `${key}.` === start;
  });

const globMatches = (pattern: unknown, text: unknown) =>
  pattern === '*' || pattern === undefined || pattern === text;

/** Whether a list of `{key, read, write, execute}` lets something be done with one of its keys. */
function listed(list: unknown, name: string, action: unknown, key: unknown): boolean {
  const entry = records(list).find((one) => one[name] === key);
  if (action === 'readwrite') return entry?.read === true && entry.write === true;
  return entry?.[String(action)] === true;
}

const URL_PARTS = ['protocol', 'host', 'port', 'path', 'extension', 'fragment', 'query'];

function urlPart(settings: Settings, asked: unknown, key: unknown): boolean {
  if (settings.urlParts !== 'specific') return true;
  // Without a part it is the whole URL that is asked for, with all that is in its query.
  const whole = asked === undefined || asked === null;
  const parts = whole ? URL_PARTS : [text(asked).toLowerCase()];
  if (!parts.every((part) => URL_PARTS.includes(part) && settings[part] === true)) return false;
  if (!parts.includes('query') || settings.queriesAllowed !== 'specific') return true;
  return !whole && strings(settings.queryKeys).includes(String(key));
}

const url = (settings: Settings, asked: unknown) =>
  settings.allowedUrls === 'any' || urlMatches(asked, strings(settings.urls));

const dataLayer = (settings: Settings, key: unknown) =>
  settings.allowedKeys === 'any' ||
  (typeof key === 'string' && keyMatches(key, strings(settings.keyPatterns)));

function cookie(settings: Settings, name: unknown, given: unknown): boolean {
  const options = isPlainObject(given) ? given : {};
  const secure = options.secure === true ? 'secure' : 'non_secure';
  const lasts = [options.expires, options['max-age']].some((end) => end !== undefined);
  return records(settings.allowedCookies).some(
    (allowed) =>
      globMatches(allowed.name, name) &&
      globMatches(allowed.domain, options.domain) &&
      globMatches(allowed.path, options.path ?? '/') &&
      ['any', undefined, secure].includes(allowed.secure as string) &&
      ['any', undefined, lasts ? 'non_session' : 'session'].includes(allowed.session as string),
  );
}

/**
 * Whether a permission's settings allow what is asked, by what `queryPermission` is given after
 * the permission's name. A permission that is not here has no settings: having it is all.
 */
const RULES: Record<string, (settings: Settings, ...asked: unknown[]) => boolean> = {
  access_consent: ({ consentTypes }, type, action) =>
    listed(consentTypes, 'consentType', action, type),
  access_globals: ({ keys }, action, key) => listed(keys, 'key', action, key),
  access_local_storage: ({ keys }, action, key) => listed(keys, 'key', action, key),
  get_cookies: ({ cookieAccess, cookieNames }, name) =>
    cookieAccess === 'any' || strings(cookieNames).includes(String(name)),
  get_referrer: urlPart,
  get_url: urlPart,
  inject_hidden_iframe: url,
  inject_script: url,
  read_data_layer: dataLayer,
  send_pixel: url,
  set_cookies: cookie,
  write_data_layer: dataLayer,
};

/** Whether it is permitted, with the same arguments as the sandbox's own `queryPermission`. */
export function isPermitted(grants: Grants, permission: string, ...asked: unknown[]): boolean {
  const settings = grants.get(permission);
  if (settings === undefined) return false;
  return !Object.hasOwn(RULES, permission) || RULES[permission]?.(settings, ...asked) === true;
}
