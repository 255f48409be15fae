import { describe, expect, it } from 'vitest';
import { APIS } from '../../build/template-runner/apis/all.ts';
import type { FunctionApi } from '../../build/template-runner/apis/api.ts';
import { failureOf } from './parts.ts';
import { createWorld } from '../../build/template-runner/world.ts';

/** Test code is free of permissions, so it can try the APIs by itself. */
const passes = (code: string) => expect(failureOf(code)).toBeUndefined();

const requiring = (names: string) =>
  names
    .split(' ')
    .map((name) => `const ${name} = require('${name}');`)
    .join('');

describe('the window', () => {
  it('is read, written, called and aliased by dotted paths', () => {
    passes(`${requiring('setInWindow copyFromWindow callInWindow aliasInWindow')}
      assertThat(copyFromWindow('shop')).isUndefined();
      assertThat(setInWindow('shop', {add: (a, b) => a + b})).isTrue();
      assertThat(setInWindow('shop.name', 'A')).isTrue();
      assertThat(copyFromWindow('shop.name')).isEqualTo('A');
      assertThat(callInWindow('shop.add', 1, 2)).isEqualTo(3);
      assertThat(callInWindow('shop.name')).isUndefined();
      assertThat(callInWindow('no.where')).isUndefined();
      assertThat(aliasInWindow('plus', 'shop.add')).isTrue();
      assertThat(callInWindow('plus', 2, 2)).isEqualTo(4);
      assertThat(aliasInWindow('plus', 'no.where')).isFalse();
      assertThat(setInWindow('no.where', 1)).isFalse();`);
  });

  it('keeps what is there unless it is told to override it', () => {
    passes(`${requiring('setInWindow copyFromWindow')}
      setInWindow('x', 0);
      assertThat(setInWindow('x', 1)).isFalse();
      assertThat(copyFromWindow('x')).isEqualTo(0);
      assertThat(setInWindow('x', 1, true)).isTrue();
      assertThat(copyFromWindow('x')).isEqualTo(1);`);
  });

  it('shares no objects with the sandbox', () => {
    passes(`${requiring('setInWindow copyFromWindow')}
      const mine = {list: [1]};
      setInWindow('x', mine);
      mine.list.push(2);
      copyFromWindow('x').list.push(3);
      assertThat(copyFromWindow('x')).isEqualTo({list: [1]});`);
  });

  it('has queues, which exist once', () => {
    passes(`${requiring('createQueue copyFromWindow setInWindow')}
      const push = createQueue('a');
      assertThat(copyFromWindow('a')).isEqualTo([]);
      push({x: 1}, 2);
      createQueue('a')(3);
      setInWindow('shop', {});
      createQueue('shop.q')(4);
      assertThat(copyFromWindow('shop')).isEqualTo({q: [4]});
      assertThat(copyFromWindow('a')).isEqualTo([{x: 1}, 2, 3]);`);
  });

  it('has no queue where there is no object for it', () => {
    expect(failureOf(`require('createQueue')('no.q');`)).toContain('no place for no.q');
    expect(failureOf(`require('createArgumentsQueue')('no.f', 'q');`)).toContain(
      'no place for no.f',
    );
  });

  it('has queues of arguments, whose array may belong to the function', () => {
    passes(`${requiring('createArgumentsQueue copyFromWindow callInWindow setInWindow')}
      const fbq = createArgumentsQueue('fbq', 'fbq.queue');
      fbq('init', 1);
      createArgumentsQueue('fbq', 'fbq.queue')('track');
      callInWindow('fbq', 'more', {a: 1});
      assertThat(copyFromWindow('fbq.queue')).isEqualTo([['init', 1], ['track'], ['more', {a: 1}]]);
      assertThat(fbq.queue).hasLength(3);
      setInWindow('fbq', null, true);
      createArgumentsQueue('fbq', 'fbq.queue');
      assertThat(copyFromWindow('fbq.queue')).isEmpty();
      setInWindow('taken', 1);
      assertThat(createArgumentsQueue('taken', 'q')).isNull();`);
  });

  it('has a data layer, merged in version 2 and as it is in version 1', () => {
    passes(`${requiring('createQueue copyFromDataLayer copyFromWindow gtagSet')}
      const push = createQueue('dataLayer');
      push({event: 'view', shop: {items: [{id: 1}, {id: 2}], currency: 'EUR'}});
      push({event: 'add', shop: {items: [{price: 3}]}, 'user.id': 7});
      assertThat(copyFromDataLayer('event')).isEqualTo('add');
      assertThat(copyFromDataLayer('shop')).isEqualTo({items: [{id: 1, price: 3}, {id: 2}], currency: 'EUR'});
      assertThat(copyFromDataLayer('shop.currency')).isEqualTo('EUR');
      assertThat(copyFromDataLayer('user')).isEqualTo({id: 7});
      assertThat(copyFromDataLayer('no.where')).isUndefined();
      assertThat(copyFromDataLayer('shop', 1)).isEqualTo({items: [{price: 3}]});
      assertThat(copyFromDataLayer('user.id', 1)).isEqualTo(7);
      gtagSet({a: 1});
      const all = copyFromWindow('dataLayer');
      assertThat(all[all.length - 1]).isEqualTo(['set', {a: 1}]);`);
  });
});

describe('the page', () => {
  it('has an address, read whole or in parts', () => {
    passes(`const getUrl = require('getUrl');
      assertThat(getUrl()).isEqualTo('https://www.example.com/');
      assertThat(['protocol', 'host', 'port', 'path', 'query', 'extension', 'fragment'].map((part) => getUrl(part)))
        .isEqualTo(['https', 'www.example.com', '443', '/', '', '', '']);
      assertThat(getUrl('host', true)).isEqualTo('example.com');
      assertThat(getUrl('nonsense')).isEqualTo(getUrl());
      assertThat(require('getQueryParameters')('q')).isUndefined();
      assertThat(require('getQueryParameters')('q', true)).isEqualTo([]);
      assertThat(require('getReferrerUrl')()).isEqualTo('');
      assertThat(require('getReferrerUrl')('host')).isEqualTo('');
      assertThat(require('getReferrerQueryParameters')('q')).isUndefined();`);
  });

  it('has an address whose parts have names in any case, and a query with keys', () => {
    const world = createWorld(new Map());
    world.page.url = 'https://www.example.com/a.html?q=x%20y&q=2&r=#top';
    world.page.referrer = 'https://other.example/?q=from';
    const call = (name: string, ...args: unknown[]) =>
      (APIS[name] as FunctionApi).run(world, ...args);
    expect(call('getUrl', 'Fragment')).toBe('top');
    expect(call('getUrl', 'QUERY')).toBe('q=x%20y&q=2&r=');
    expect(call('getUrl', 'query', false, [], 'q')).toBe('x y');
    expect(call('getUrl', 'query', false, [], 'r')).toBe('');
    expect(call('getUrl', 'query', false, [], 'none')).toBeUndefined();
    expect(call('getReferrerUrl', 'query', false, [], 'q')).toBe('from');
  });

  it('has a title and a character set', () => {
    passes(`assertThat(require('readTitle')()).isEqualTo('Example');
      assertThat(require('readCharacterSet')()).isEqualTo('UTF-8');`);
  });
});

describe('storage', () => {
  it('keeps cookies, encoded unless told otherwise, until they end', () => {
    passes(`${requiring('setCookie getCookieValues')}
      assertThat(getCookieValues('a')).isEqualTo([]);
      setCookie('a', 'x y', {'max-age': 60});
      assertThat(getCookieValues('a')).isEqualTo(['x y']);
      assertThat(getCookieValues('a', false)).isEqualTo(['x%20y']);
      setCookie('b', '%', {}, false);
      assertThat(getCookieValues('b')).isEqualTo(['%']);
      setCookie('a', '', {expires: 'Thu, 01 Jan 1970 00:00:00 GMT'});
      setCookie('b', '', {'max-age': 0});
      assertThat(getCookieValues('a').concat(getCookieValues('b'))).isEmpty();`);
  });

  it('keeps strings locally', () => {
    passes(`const localStorage = require('localStorage');
      assertThat(localStorage.getItem('a')).isNull();
      assertThat(localStorage.setItem('a', 1)).isTrue();
      assertThat(localStorage.getItem('a')).isEqualTo('1');
      localStorage.removeItem('a');
      assertThat(localStorage.getItem('a')).isNull();`);
  });

  it('keeps what the template remembers', () => {
    passes(`const templateStorage = require('templateStorage');
      assertThat(templateStorage.getItem('a')).isNull();
      templateStorage.setItem('a', {x: 1});
      templateStorage.setItem('b', 2);
      assertThat(require('templateStorage').getItem('a')).isEqualTo({x: 1});
      templateStorage.removeItem('a');
      assertThat(templateStorage.getItem('a')).isNull();
      templateStorage.clear();
      assertThat(templateStorage.getItem('b')).isNull();`);
  });

  it('tells of the sessions that analytics cookies hold', () => {
    passes(`${requiring('setCookie readAnalyticsStorage')}
      assertThat(readAnalyticsStorage()).isEqualTo({sessions: []});
      setCookie('_ga', 'GA1.1.123.456');
      setCookie('_ga_ABC', 'GS1.1.1700000000.3.0.0.0', {}, false);
      assertThat(readAnalyticsStorage()).isEqualTo({client_id: '123.456',
        sessions: [{measurement_id: 'G-ABC', session_id: '1700000000', session_number: 3}]});`);
  });
});

describe('consent', () => {
  it('is granted until something else is said', () => {
    passes(`${requiring('isConsentGranted setDefaultConsentState updateConsentState')}
      assertThat(isConsentGranted('ad_storage')).isTrue();
      setDefaultConsentState({ad_storage: 'denied', region: ['ES']});
      assertThat(isConsentGranted('ad_storage')).isTrue();
      setDefaultConsentState({ad_storage: 'denied', wait_for_update: 500});
      assertThat(isConsentGranted('ad_storage')).isFalse();
      updateConsentState({ad_storage: 'granted'});
      setDefaultConsentState({ad_storage: 'denied'});
      assertThat(isConsentGranted('ad_storage')).isTrue();
      updateConsentState({ad_storage: true});
      assertThat(isConsentGranted('ad_storage')).isFalse();`);
  });

  it('tells listeners of changes, and only of those', () => {
    const heard = (expected: string) =>
      failureOf(`${requiring('addConsentListener updateConsentState callLater')}
        const heard = [];
        addConsentListener('ad_storage', (name, granted) => heard.push(name + granted));
        updateConsentState({ad_storage: 'granted', analytics_storage: 'denied'});
        updateConsentState({ad_storage: 'denied'});
        callLater(() => assertThat(heard.join()).isEqualTo('${expected}'));`);
    expect(heard('ad_storagefalse')).toBeUndefined();
    expect(heard('')).toContain('ad_storagefalse');
  });
});

describe('the container', () => {
  it('has a version', () => {
    passes(`assertThat(require('getContainerVersion')().containerId).isEqualTo('GTM-XXXXXXX');`);
  });

  it.each(['sendPixel', 'injectScript', 'injectHiddenIframe'])('%s succeeds, later', (name) => {
    const code = `let now = true;
      require('${name}')('https://a.test/', () => assertThat(now, 'now').isFalse(), () => fail('no'));`;
    passes(`${code} now = false;`);
    expect(failureOf(code)).toBe('now: expected true to be false');
  });

  it.each(['callLater', 'addEventCallback'])('%s calls later', (name) => {
    const code = `let now = true; require('${name}')(() => assertThat(now, 'now').isFalse());`;
    passes(`${code} now = false;`);
    expect(failureOf(code)).toBe('now: expected true to be false');
  });
});
