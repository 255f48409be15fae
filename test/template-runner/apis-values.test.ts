import { describe, expect, it } from 'vitest';
import { failureOf } from './parts.ts';

/** What an expression over the required names gives in the sandbox, seen by a variable's test. */
function resultOf(names: string, expression: string): string | undefined {
  const required = names.split(' ').map((name) => `const ${name} = require('${name}');`);
  return failureOf(`assertThat(runCode({circle: circle})).isNull();`, {
    type: 'MACRO',
    code: `${required.join('\n')}\nreturn ${expression};`,
    setup: `const circle = {}; circle.self = circle;`,
  })?.replace(/^expected (.*) to be null$/, '$1');
}

describe('the APIs that only compute', () => {
  it.each([
    ['JSON', `JSON.stringify({a: [1, 'x', null]})`, '"{\\"a\\":[1,\\"x\\",null]}"'],
    ['JSON', `JSON.stringify(data.circle)`, 'undefined'],
    ['JSON', `JSON.parse('{"a": [1]}')`, '{"a": [1]}'],
    ['JSON', `JSON.parse('{')`, 'undefined'],
    ['JSON', `JSON.parse(undefined)`, 'undefined'],
    ['Math', `[Math.abs(-1), Math.ceil(1.2), Math.floor(1.8), Math.round(1.5)]`, '[1, 2, 1, 2]'],
    ['Math', `[Math.max(1, 3, 2), Math.min(2, 1), Math.pow(2, 3), Math.sqrt(9)]`, '[3, 1, 8, 3]'],
    ['Math', `Math.random`, 'undefined'],
    ['Object', `[Object.keys({a: 1}), Object.values({a: 1})]`, '[["a"], [1]]'],
    ['Object', `Object.entries({a: 1, b: 2})`, '[["a", 1], ["b", 2]]'],
    ['encodeUri', `encodeUri('https://a.test/ä b?c=d')`, '"https://a.test/%C3%A4%20b?c=d"'],
    ['encodeUriComponent', `encodeUriComponent('a b&ä')`, '"a%20b%26%C3%A4"'],
    ['decodeUri', `[decodeUri('%C3%A4%26'), decodeUri('%')]`, '["ä%26", undefined]'],
    [
      'decodeUriComponent',
      `[decodeUriComponent('%26'), decodeUriComponent('%')]`,
      '["&", undefined]',
    ],
    ['toBase64 fromBase64', `[toBase64('aä'), fromBase64('YcOk')]`, '["YcOk", "aä"]'],
    ['fromBase64', `[fromBase64('!'), fromBase64(1)]`, '[undefined, undefined]'],
    ['generateRandom', `generateRandom(3, 3)`, '3'],
    [
      'getType',
      `[1, 'a', true, null, undefined, [], {}, getType].map(getType).join()`,
      '"number,string,boolean,null,undefined,array,object,function"',
    ],
    ['makeInteger', `['12.9', -1.2, '7px', null].map(makeInteger)`, '[13, -1, 0, 0]'],
    ['makeNumber', `[makeNumber('1.5'), makeNumber(''), makeNumber('x')]`, '[1.5, 0, NaN]'],
    ['makeString', `[makeString(1), makeString(null), makeString(true)]`, '["1", "null", "true"]'],
    [
      'makeTableMap',
      `makeTableMap([{k: 'a', v: 1}, {k: 'b'}, {k: 'c', v: 3}], 'k', 'v')`,
      '{"a": 1, "c": 3}',
    ],
    [
      'makeTableMap',
      `[makeTableMap([], 'k', 'v'), makeTableMap(undefined, 'k', 'v')]`,
      '[null, null]',
    ],
    ['parseUrl', `parseUrl('no URL')`, 'undefined'],
  ])('%s: %s', (names, expression, result) => {
    expect(resultOf(names, expression)).toBe(result);
  });

  it.each(['makeString', 'encodeUri', 'encodeUriComponent', 'decodeUri', 'decodeUriComponent'])(
    '%s shows no source of a function',
    (name) => {
      expect(resultOf(name, `${name}(function own() {}) + ${name}([function mine() {}])`)).toBe(
        '"ownmine"',
      );
    },
  );

  it('toBase64 and sha256 take none either', () => {
    const code = `assertThat(require('toBase64')(function own() {})).isEqualTo(require('toBase64')('own'));
      const hashes = [];
      require('sha256')('own', (hash) => hashes.push(hash));
      require('sha256')(function own() {}, (hash) => assertThat(hash).isEqualTo(hashes[0]));`;
    expect(failureOf(code)).toBeUndefined();
  });

  it('parseUrl takes a URL apart', () => {
    const failure = failureOf(
      `const url = runCode({});
       assertThat(url.searchParams).isEqualTo({a: ['1', '2'], b: 'x y'});
       assertThat([url.protocol, url.host, url.hostname, url.port, url.pathname, url.search, url.hash])
         .isEqualTo(['https:', 'a.test:8443', 'a.test', '8443', '/p', '?a=1&a=2&b=x+y', '#h']);
       assertThat([url.origin, url.username, url.password, url.href.length])
         .isEqualTo(['https://a.test:8443', 'u', 'pw', 42]);`,
      {
        type: 'MACRO',
        code: `return require('parseUrl')('https://u:pw@a.test:8443/p?a=1&a=2&b=x+y#h');`,
      },
    );
    expect(failure).toBeUndefined();
  });

  it('Object.delete and Object.freeze change the object itself', () => {
    expect(
      failureOf(`
        const Object = require('Object');
        const a = {x: 1, y: 2};
        assertThat(Object.delete(a, 'x')).isTrue();
        assertThat(Object.keys(a)).isEqualTo(['y']);
        Object.freeze(a);
        a.y = 3;
        assertThat(a.y).isEqualTo(2);
        assertThat(Object.delete(a, 'y')).isFalse();`),
    ).toBeUndefined();
  });

  it('reads the clock in milliseconds', () => {
    expect(
      failureOf(`const now = require('getTimestampMillis')();
        assertThat(now).isGreaterThan(${Date.now() - 1});
        assertThat(require('getTimestamp')()).isGreaterThanOrEqualTo(now).isLessThan(now + 10000);`),
    ).toBeUndefined();
  });

  it.each([
    ['', 'ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='],
    [
      ', () => 1, {outputEncoding: "hex"}',
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    ],
  ])('sha256 gives its digest later (%j)', (options, digest) => {
    const hash = (expected: string) =>
      failureOf(`
        let now = true;
        require('sha256')('abc', (hash) => assertThat([now, hash]).isEqualTo([false, '${expected}'])${options});
        now = false;`);
    expect(hash(digest)).toBeUndefined();
    expect(hash('other')).toContain(digest);
  });
});
