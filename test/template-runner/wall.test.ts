import { afterEach, describe, expect, it } from 'vitest';
import { failureOf } from './parts.ts';

const passes = (code: string) => expect(failureOf(code)).toBeUndefined();

/** Paths that lead from an object to what the runner itself is made of. */
const WAYS_OUT = ['', 'made.', 'list.', 'run.', 'dataLayer.', 'dataLayer.push.', 'text.'].flatMap(
  (start) =>
    [
      'constructor',
      'constructor.constructor',
      'x.constructor.constructor',
      '__proto__',
      '__proto__.constructor',
      'prototype',
      'toString',
      'valueOf.constructor',
    ].map((way) => start + way),
);

const SETUP = `
  const setInWindow = require('setInWindow');
  setInWindow('made', {own: 1});
  setInWindow('list', [1]);
  setInWindow('run', () => 1);
  setInWindow('text', 'abc');
  require('createQueue')('dataLayer')({made: {}, list: [1], text: 'abc'});
`;

describe('a path', () => {
  it.each(WAYS_OUT)('to %s finds nothing', (path) => {
    const nothing = `${SETUP}
      assertThat(require('copyFromWindow')('${path}')).isUndefined();
      assertThat(require('copyFromDataLayer')('${path}')).isUndefined();
      assertThat(require('copyFromDataLayer')('${path}', 1)).isUndefined();
      assertThat(require('aliasInWindow')('alias', '${path}')).isFalse();
      assertThat(require('copyFromWindow')('alias')).isUndefined();`;
    passes(nothing);
    // A list has its method, bound to it, and gives it to nobody.
    if (/^(list|dataLayer)\.toString$/.test(path)) return;
    passes(`${SETUP} assertThat(require('callInWindow')('${path}', 'return 1')).isUndefined();`);
  });

  it('calls the methods of a list, and finds none of them', () => {
    passes(`${SETUP}
      const callInWindow = require('callInWindow'), copyFromWindow = require('copyFromWindow');
      setInWindow('_paq', []);
      assertThat(callInWindow('_paq.push', ['trackPageView'])).isEqualTo(1);
      assertThat(callInWindow('_paq.push', ['x'], ['y'])).isEqualTo(3);
      assertThat(copyFromWindow('_paq')).isEqualTo([['trackPageView'], ['x'], ['y']]);
      callInWindow('dataLayer.push', {event: 'x'});
      assertThat(require('copyFromDataLayer')('event')).isEqualTo('x');
      assertThat(copyFromWindow('dataLayer.length')).isEqualTo(3);
      assertThat(copyFromWindow('dataLayer.push')).isUndefined();
      assertThat(callInWindow('dataLayer.at', 0)).isUndefined();
      setInWindow('_paq.push', () => 'own');
      assertThat(callInWindow('_paq.push', 1)).isEqualTo('own');`);
  });
});

describe("the runner's own prototypes", () => {
  const prototypes = [Object.prototype, Array.prototype, Function.prototype];
  const before = prototypes.map((prototype) => Reflect.ownKeys(prototype));

  afterEach(() => {
    expect(prototypes.map((prototype) => Reflect.ownKeys(prototype))).toEqual(before);
  });

  it.each(['__proto__', 'constructor.prototype', 'dataLayer.__proto__', 'run.__proto__'])(
    'get nothing by the path %s',
    (path) => {
      passes(`${SETUP} assertThat(setInWindow('${path}.polluted', 1, true)).isFalse();`);
      for (const call of [
        `require('aliasInWindow')('${path}.polluted', 'made');`,
        `require('createQueue')('${path}.polluted')(1);`,
        `require('createArgumentsQueue')('${path}.polluted', '${path}.q')(1);`,
        `require('createQueue')('dataLayer')({'${path}.polluted': 1}); require('copyFromDataLayer')('x');`,
        `require('gtagSet')({'${path}.polluted': 1}); require('copyFromDataLayer')('x');`,
      ])
        failureOf(`${SETUP} ${call}`);
    },
  );

  it('stand behind a copy, whatever keys are in it', () => {
    passes(`
      const Object = require('Object'), setInWindow = require('setInWindow');
      const odd = require('JSON').parse('{"__proto__": {"a": 1}}');
      setInWindow('odd', odd);
      const copy = require('copyFromWindow')('odd');
      assertThat(Object.keys(copy)).isEqualTo(['__proto__']);
      require('createQueue')('dataLayer')(odd);
      assertThat(require('copyFromDataLayer')('a')).isUndefined();
      assertThat(require('copyFromDataLayer')('__proto__.a')).isEqualTo(1);
      setInWindow('__proto__', {b: 2}, true);
      assertThat(require('copyFromWindow')('b')).isUndefined();
      assertThat(require('copyFromWindow')('__proto__')).isEqualTo({b: 2});`);
  });
});
