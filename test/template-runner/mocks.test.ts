import { describe, expect, it } from 'vitest';
import { failureOf } from './parts.ts';

/** A template that needs no permission, as each of its APIs is mocked. */
const CODE = `
const sendPixel = require('sendPixel');
const localStorage = require('localStorage');
sendPixel(data.url, data.gtmOnSuccess, data.gtmOnFailure);
localStorage.setItem('key', data.url);`;

const MOCKS = `
mockObject('localStorage', {setItem: () => true});
mock('sendPixel', (url, onSuccess) => onSuccess());`;

const failure = (code: string) => failureOf(code, { code: CODE, setup: MOCKS });

describe('mock', () => {
  it('stands before the API, whether it is a function or a value', () => {
    expect(
      failureOf(
        `mock('getUrl', 'https://a.test/'); mock('getReferrerUrl', (part) => part + '!');
         assertThat(runCode({})).isEqualTo(['https://a.test/', 'host!', undefined]);`,
        {
          type: 'MACRO',
          code: `return [require('getUrl')(), require('getReferrerUrl')('host'), require('x')()];`,
          setup: `mock('x', undefined);`,
        },
      ),
    ).toBeUndefined();
  });

  it('is looked for when the API is called, not when it is required', () => {
    expect(
      failureOf(
        `const later = runCode({}); mock('makeString', 'mocked');
         assertThat(later()).isEqualTo('mocked');`,
        { type: 'MACRO', code: `const s = require('makeString'); return () => s(1);` },
      ),
    ).toBeUndefined();
  });

  it('may call what it stands for', () => {
    expect(
      failureOf(`
        const log = require('logToConsole');
        const makeString = require('makeString');
        mock('makeString', (value) => '<' + makeString(value) + '>');
        mock('logToConsole', (text) => log('mocked: ' + text));
        log('x');
        assertThat(makeString(1)).isEqualTo('<1>');
        assertApi('makeString').wasNotCalledWith(2);`),
    ).toBeUndefined();
  });

  it('is there again for what the template does inside of it', () => {
    const code = `
      const injectScript = require('injectScript');
      injectScript('a', () => injectScript('b', data.gtmOnSuccess));`;
    expect(
      failureOf(
        `mock('injectScript', (url, onSuccess) => onSuccess()); runCode({});
         assertApi('gtmOnSuccess').wasCalled();
         assertApi('injectScript').wasCalledWith('b', runCode);`,
        { code },
      ),
    ).toMatch(/^expected injectScript to be called with .*; it was called with .*"a".*"b"/);
  });

  it('still means the real one after the template came back into it', () => {
    const code = `require('makeString')(1);`;
    expect(
      failureOf(
        `const makeString = require('makeString'); let calls = 0;
         mock('makeString', (value) => { calls += 1; if (calls < 2) runCode({}); return makeString(value); });
         runCode({});
         assertThat(calls).isEqualTo(2);`,
        { code },
      ),
    ).toBeUndefined();
  });

  it('lasts for its scenario only', () => {
    expect(failureOf(`mock('makeNumber', 7);`)).toBeUndefined();
    expect(failureOf(`assertThat(require('makeNumber')('1')).isEqualTo(1);`)).toBeUndefined();
  });

  it('lets an API be required that is none', () => {
    expect(failureOf(`mock('listen', 7); assertThat(require('listen')()).isEqualTo(7);`)).toBe(
      undefined,
    );
    expect(failureOf(`require('listen');`)).toBe('there is no API "listen"');
    expect(failureOf(`require('toString');`)).toBe('there is no API "toString"');
  });

  it('spares the template the permission', () => {
    expect(failure(`runCode({url: 'u'}); assertApi('gtmOnSuccess').wasCalled();`)).toBeUndefined();
    expect(failureOf(`runCode({});`, { code: CODE })).toContain('lacks send_pixel');
  });
});

describe('mockObject', () => {
  it('replaces methods and leaves the others', () => {
    expect(
      failureOf(`
        const m = require('Math');
        mockObject('Math', {round: () => 7, random: () => 4});
        assertThat(m.round(1.2)).isEqualTo(7);
        assertThat(m.floor(1.2)).isEqualTo(1);
        assertThat(require('Math').random()).isEqualTo(4);`),
    ).toBeUndefined();
  });

  it('is what mock does with an API that is an object', () => {
    expect(
      failureOf(
        `mock('JSON', {parse: () => 7}); assertThat(require('JSON').parse('1')).isEqualTo(7);`,
      ),
    ).toBeUndefined();
  });

  it('wants an object', () => {
    expect(failureOf(`mockObject('Math', 1);`)).toBe('mockObject needs an object, not 1');
  });
});

describe('assertApi', () => {
  it.each([
    [`assertApi('sendPixel').wasCalled()`, `assertApi('setCookie').wasCalled()`],
    [`assertApi('setCookie').wasNotCalled()`, `assertApi('sendPixel').wasNotCalled()`],
    [`assertApi('gtmOnSuccess').wasCalled()`, `assertApi('gtmOnFailure').wasCalled()`],
    [
      `assertApi('localStorage.setItem').wasCalledWith('key', {u: [1]})`,
      `assertApi('localStorage.setItem').wasCalledWith('key', {u: [2]})`,
    ],
    [
      `assertApi('localStorage.setItem').wasNotCalledWith('key')`,
      `assertApi('localStorage.setItem').wasNotCalledWith('key', {u: [1]})`,
    ],
    [
      `assertApi('sendPixel').wasCalled().wasNotCalledWith(1)`,
      `assertApi('sendPixel').wasCalled().wasCalledWith(1)`,
    ],
  ])('%s holds, and %s does not', (holds, fails) => {
    expect(failure(`runCode({url: {u: [1]}}); ${holds};`)).toBeUndefined();
    expect(failure(`runCode({url: {u: [1]}}); ${fails};`)).toMatch(/^expected \w+/);
  });

  it('compares functions by identity', () => {
    const given = `let given; mock('sendPixel', (url, onSuccess) => { given = onSuccess; });
      mock('callLater', undefined);
      runCode({url: 'u'}); require('callLater')(given);`;
    expect(failure(`${given} assertApi('callLater').wasCalledWith(given);`)).toBeUndefined();
    expect(failure(`${given} assertApi('callLater').wasCalledWith(() => 1);`)).toContain(
      'expected callLater to be called with (a function); it was called with (a function)',
    );
  });

  it('counts calls of what is not mocked', () => {
    const code = `require('makeNumber')('8');`;
    expect(failureOf(`runCode({}); assertApi('makeNumber').wasCalledWith('8');`, { code })).toBe(
      undefined,
    );
  });

  it('tells of the calls there were', () => {
    expect(failure(`assertApi('sendPixel').wasCalled();`)).toBe(
      'expected sendPixel to be called; it was not called',
    );
    expect(
      failureOf(`const s = require('makeString'); for (let i = 0; i < 7; i++) s(i);
        assertApi('makeString').wasCalledWith(9);`),
    ).toBe(
      'expected makeString to be called with (9); it was called with (0), (1), (2), (3), (4) and 2 times more',
    );
  });
});
