import { describe, expect, it } from 'vitest';
import { failureOf, permission } from './parts.ts';
import { grantsIn, isPermitted } from '../../build/template-runner/permissions.ts';
import { urlMatches } from '../../build/template-runner/url-patterns.ts';

type Settings = Parameters<typeof permission>[1];

const grants = (...list: ReturnType<typeof permission>[]) => grantsIn(list);

const GLOBALS = {
  keys: [
    { key: 'read', read: true, write: false, execute: false },
    { key: 'a.b', read: true, write: true, execute: false },
    { key: 'a.c', read: true, write: true, execute: false },
    { key: 'run', read: false, write: false, execute: true },
  ],
};
const CONSENT = { consentTypes: [{ consentType: 'ad_storage', read: true, write: false }] };
const STORAGE = { keys: [{ key: 'k', read: true, write: false }] };
const PARTS = { urlParts: 'specific', host: true, query: true, path: false };
const ONE_KEY = { queriesAllowed: 'specific', queryKeys: ['q'] };
const QUERIES = { ...PARTS, ...ONE_KEY };
const WHOLE = {
  ...{ urlParts: 'specific', protocol: true, host: true, port: true, path: true },
  ...{ extension: true, fragment: true, query: true },
};
const cookie = (rest: Record<string, string>) => ({
  allowedCookies: [{ name: 'c', domain: '*', path: '*', secure: 'any', session: 'any', ...rest }],
});

/** A permission with its settings, what it allows and what it does not. */
const CASES: [name: string, settings: Settings, allowed: unknown[][], refused: unknown[][]][] = [
  [
    'access_consent',
    CONSENT,
    [['ad_storage', 'read']],
    [
      ['ad_storage', 'write'],
      ['x', 'read'],
    ],
  ],
  [
    'access_globals',
    GLOBALS,
    [
      ['read', 'read'],
      ['readwrite', 'a.b'],
      ['write', 'a.b'],
      ['execute', 'run'],
    ],
    [['write', 'read'], ['readwrite', 'read'], ['read', 'a'], ['read', 'run'], ['read', 'no'], []],
  ],
  [
    'access_local_storage',
    STORAGE,
    [['read', 'k']],
    [
      ['write', 'k'],
      ['readwrite', 'k'],
      ['read', 'x'],
    ],
  ],
  ['access_template_storage', {}, [[]], []],
  ['get_cookies', { cookieAccess: 'any' }, [['x']], []],
  ['get_cookies', { cookieAccess: 'specific', cookieNames: ['a'] }, [['a']], [['b'], []]],
  ['get_url', { urlParts: 'any', queriesAllowed: 'any' }, [[], ['path'], ['query', 'x']], []],
  ['get_url', PARTS, [['host'], ['HOST'], ['query', 'x'], ['query']], [['path'], ['fragment'], []]],
  ['get_url', WHOLE, [[], [null], ['path'], ['query', 'x']], [['nonsense']]],
  ['get_url', { ...WHOLE, port: false }, [['path']], [[], ['port']]],
  [
    'get_url',
    { ...WHOLE, ...ONE_KEY },
    [['path'], ['query', 'q']],
    [[], ['query'], ['query', 'x']],
  ],
  ['get_referrer', QUERIES, [['query', 'q'], ['host']], [['query', 'x'], ['query'], ['path']]],
  [
    'inject_script',
    { urls: ['https://a.test/x.js'] },
    [['https://a.test/x.js']],
    [['https://a.test/y.js']],
  ],
  [
    'inject_hidden_iframe',
    { urls: ['https://a.test/'] },
    [['https://a.test/y']],
    [['https://b.test/']],
  ],
  ['inject_script', {}, [], [['https://a.test/']]],
  ['send_pixel', { allowedUrls: 'any' }, [['https://a.test/']], []],
  [
    'send_pixel',
    { allowedUrls: 'specific', urls: ['https://a.test/'] },
    [['https://a.test/p?q']],
    [['https://b.test/'], [7]],
  ],
  ['read_data_layer', { allowedKeys: 'any' }, [['x']], []],
  [
    'read_data_layer',
    { allowedKeys: 'specific', keyPatterns: ['event', 'shop.*', 'gtm*'] },
    [['event'], ['shop'], ['shop.items'], ['gtm.start'], ['gtm']],
    [['events'], ['event.x'], ['shopping'], ['x.shop'], [7]],
  ],
  ['write_data_layer', { keyPatterns: ['a'] }, [['a']], [['b']]],
  ['set_cookies', cookie({}), [['c'], ['c', { secure: true, 'max-age': 1, domain: 'x' }]], [['d']]],
  ['set_cookies', cookie({ name: '*' }), [['d']], []],
  [
    'set_cookies',
    cookie({ domain: 'a.test' }),
    [['c', { domain: 'a.test' }]],
    [['c'], ['c', { domain: 'b.test' }]],
  ],
  ['set_cookies', cookie({ path: '/' }), [['c'], ['c', { path: '/' }]], [['c', { path: '/x' }]]],
  [
    'set_cookies',
    cookie({ secure: 'secure' }),
    [['c', { secure: true }]],
    [['c'], ['c', { secure: false }]],
  ],
  ['set_cookies', cookie({ secure: 'non_secure' }), [['c']], [['c', { secure: true }]]],
  ['set_cookies', cookie({ session: 'session' }), [['c']], [['c', { 'max-age': 1 }]]],
  ['set_cookies', cookie({ session: 'non_session' }), [['c', { expires: 'x' }]], [['c']]],
];

describe('permissions', () => {
  it.each(CASES)('%s with %j', (name, settings, allowed, refused) => {
    const given = grants(permission(name, settings));
    for (const asked of allowed)
      expect([asked, isPermitted(given, name, ...asked)]).toEqual([asked, true]);
    for (const asked of refused)
      expect([asked, isPermitted(given, name, ...asked)]).toEqual([asked, false]);
  });

  it('refuse what is not there at all', () => {
    expect(isPermitted(grants(), 'logging')).toBe(false);
    expect(isPermitted(grants(permission('logging')), 'read_title')).toBe(false);
  });

  it('ignore entries that they cannot make anything of', () => {
    expect(grantsIn([null, 1, {}, { instance: {} }])).toEqual(new Map());
  });
});

describe('URL patterns', () => {
  it.each([
    [
      'https://a.test/',
      ['https://a.test', 'https://a.test/x/y?z'],
      ['https://b.a.test/', 'http://a.test/'],
    ],
    ['https://a.test', ['https://a.test/x'], ['https://a.test:8443/x', 'https://a.test.evil/']],
    [
      'https://*.a.test/',
      ['https://a.test/', 'https://b.a.test/x', 'https://c.b.a.test/'],
      ['https://ba.test/'],
    ],
    [
      'https://a.test/x',
      ['https://a.test/x', 'https://a.test/x?q=1'],
      ['https://a.test/xy', 'https://a.test/x/y'],
    ],
    [
      'https://a.test/x/*',
      ['https://a.test/x/', 'https://a.test/x/y/z?q'],
      ['https://a.test/x', 'https://a.test/y/x/'],
    ],
    [
      'https://a.test/*.js',
      ['https://a.test/x/y.js', 'https://a.test/y.js?v=1'],
      ['https://a.test/y.css'],
    ],
    [
      'https://a.test/x?k=*',
      ['https://a.test/x?k=1'],
      ['https://a.test/x', 'https://a.test/x?l=1'],
    ],
    ['https://A.test:8443/', ['https://a.test:8443/'], ['https://a.test/']],
    [
      'https://a.test:443/*',
      ['https://a.test/x', 'https://a.test:443/x'],
      ['https://a.test:80/x', 'http://a.test:443/x'],
    ],
    ['http://*.a.test:80/', ['http://b.a.test/'], ['https://b.a.test/']],
    ['http://a.test/(.)', ['http://a.test/(.)'], ['http://a.test/(x)']],
  ])('%s', (pattern, covered, others) => {
    for (const url of covered) expect([url, urlMatches(url, [pattern])]).toEqual([url, true]);
    for (const url of others) expect([url, urlMatches(url, [pattern])]).toEqual([url, false]);
  });

  it.each(['', 'no URL', '*', 'https:///x'])('%j covers nothing', (pattern) => {
    expect(urlMatches('https://a.test/x', [pattern])).toBe(false);
  });
});

/** A call, the permission that it needs, and another call that this permission refuses. */
const CALLS: [call: string, name: string, settings: Settings, refused: string][] = [
  [
    `addConsentListener')('ad_storage', () => 1`,
    'access_consent',
    CONSENT,
    `addConsentListener')('x'`,
  ],
  [
    `isConsentGranted')('ad_storage'`,
    'access_consent',
    CONSENT,
    `setDefaultConsentState')({ad_storage: 'denied'}`,
  ],
  [
    `isConsentGranted')('ad_storage'`,
    'access_consent',
    CONSENT,
    `updateConsentState')({ad_storage: 'denied'}`,
  ],
  [`copyFromWindow')('read'`, 'access_globals', GLOBALS, `copyFromWindow')('run'`],
  [`callInWindow')('run'`, 'access_globals', GLOBALS, `callInWindow')('read'`],
  [`setInWindow')('a.b', 1`, 'access_globals', GLOBALS, `setInWindow')('read', 1`],
  [`aliasInWindow')('a.b', 'read'`, 'access_globals', GLOBALS, `aliasInWindow')('a.b', 'run'`],
  [`createQueue')('a.b'`, 'access_globals', GLOBALS, `createQueue')('read'`],
  [
    `createArgumentsQueue')('a.b', 'a.c'`,
    'access_globals',
    GLOBALS,
    `createArgumentsQueue')('a.b', 'read'`,
  ],
  [`localStorage').getItem('k'`, 'access_local_storage', STORAGE, `localStorage').setItem('k', 1`],
  [`localStorage').getItem('k'`, 'access_local_storage', STORAGE, `localStorage').removeItem('k'`],
  [`getCookieValues')('a'`, 'get_cookies', { cookieNames: ['a'] }, `getCookieValues')('b'`],
  [`setCookie')('c', 1`, 'set_cookies', cookie({}), `setCookie')('d', 1`],
  [`getUrl')('host'`, 'get_url', PARTS, `getUrl')('path'`],
  [`getUrl')('query', false, [], 'q'`, 'get_url', QUERIES, `getUrl')('query', false, [], 'x'`],
  [`getUrl')('Query', false, [], 'q'`, 'get_url', QUERIES, `getUrl')('Query'`],
  [`getQueryParameters')('q'`, 'get_url', QUERIES, `getQueryParameters')('x'`],
  [`getReferrerUrl')('host'`, 'get_referrer', PARTS, `getReferrerUrl')(`],
  [`getReferrerQueryParameters')('q'`, 'get_referrer', QUERIES, `getReferrerQueryParameters')('x'`],
  [`copyFromDataLayer')('a'`, 'read_data_layer', { keyPatterns: ['a'] }, `copyFromDataLayer')('b'`],
  [`gtagSet')({a: 1}`, 'write_data_layer', { keyPatterns: ['a'] }, `gtagSet')({a: 1, b: 2}`],
  [`gtagSet')({a: {b: 1}}`, 'write_data_layer', { keyPatterns: ['a.b'] }, `gtagSet')({a: {c: 1}}`],
  [`gtagSet')('a', 1`, 'write_data_layer', { keyPatterns: ['a'] }, `gtagSet')('b', 1`],
  ...[
    'sendPixel send_pixel',
    'injectScript inject_script',
    'injectHiddenIframe inject_hidden_iframe',
  ]
    .map((pair) => pair.split(' '))
    .map(([api = '', name = '']): [string, string, Settings, string] => [
      `${api}')('https://a.test/x'`,
      name,
      { urls: ['https://a.test/'] },
      `${api}')('https://b.test/x'`,
    ]),
];

describe('a call in a template', () => {
  it.each(CALLS)("require('%s) needs %s", (call, name, settings, refused) => {
    const run = (text: string, ...given: ReturnType<typeof permission>[]) =>
      failureOf(`require('setInWindow')('a', {}); runCode({});`, {
        code: `require('${text});`,
        grants: grants(...given),
      });
    expect(run(call, permission(name, settings))).toBeUndefined();
    expect(run(call)).toMatch(new RegExp(` is refused: the template lacks ${name}`));
    expect(run(refused, permission(name, settings))).toContain(`the template lacks ${name}`);
  });

  it.each([
    ['getContainerVersion', 'read_container_data'],
    ['addEventCallback', 'read_event_metadata'],
    ['readAnalyticsStorage', 'read_analytics_storage'],
    ['readCharacterSet', 'read_character_set'],
    ['readTitle', 'read_title'],
    ["templateStorage').clear('", 'access_template_storage'],
  ])('%s needs %s', (api, name) => {
    const code = `require('${api}')();`.replace("('')()", '()');
    expect(failureOf('runCode({});', { code, grants: grants(permission(name)) })).toBeUndefined();
    expect(failureOf('runCode({});', { code })).toContain(`lacks ${name}`);
  });

  it('logs without a word when it may not', () => {
    expect(failureOf('runCode({});', { code: `require('logToConsole')('x');` })).toBeUndefined();
  });

  it('learns the same from queryPermission', () => {
    const code = `return require('queryPermission')('access_globals', data.action, 'read');`;
    const variable = { type: 'MACRO', code, grants: grants(permission('access_globals', GLOBALS)) };
    expect(failureOf(`assertThat(runCode({action: 'read'})).isTrue();`, variable)).toBeUndefined();
    expect(
      failureOf(`assertThat(runCode({action: 'write'})).isFalse();`, variable),
    ).toBeUndefined();
  });

  it('is not spared by a mock of another API', () => {
    const code = `require('setCookie')('c', 1);`;
    expect(failureOf(`mock('sendPixel', 1); runCode({});`, { code })).toContain(
      'setCookie is refused',
    );
    expect(failureOf(`mock('setCookie', 1); runCode({});`, { code })).toBeUndefined();
  });
});
