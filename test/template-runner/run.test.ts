import { describe, expect, it } from 'vitest';
import { failureOf, templateWith } from './parts.ts';
import { runTemplate } from '../../build/template-runner/run.ts';

const passedOf = (code: string, scenarios: string[]) =>
  runTemplate(
    templateWith({ code, scenarios: scenarios.map((text, i) => ({ name: `${i}`, code: text })) }),
  ).map(({ failure }) => failure === undefined);

describe('a scenario', () => {
  it('shares one scope with the setup, which runs again for each', () => {
    const setup = `let count = 0; const data = {n: 1}; const add = () => { count += data.n; };`;
    const code = `add(); data.n = 5; assertThat(count).isEqualTo(1);`;
    const scenarios = [
      { name: 'a', code },
      { name: 'b', code },
    ];
    const outcomes = runTemplate(templateWith({ setup, scenarios }));
    expect(outcomes.map(({ failure }) => failure)).toEqual([undefined, undefined]);
  });

  it('has a world of its own', () => {
    const code = `
      require('setInWindow')('x', 1); require('setCookie')('x', 1);
      require('localStorage').setItem('x', 1); require('templateStorage').setItem('x', 1);
      require('updateConsentState')({x: 'denied'}); mock('getUrl', 'x');`;
    const clean = `
      assertThat(require('copyFromWindow')('x')).isUndefined();
      assertThat(require('getCookieValues')('x')).isEmpty();
      assertThat(require('localStorage').getItem('x')).isNull();
      assertThat(require('templateStorage').getItem('x')).isNull();
      assertThat(require('isConsentGranted')('x')).isTrue();
      assertThat(require('getUrl')()).isNotEqualTo('x');
      assertApi('setInWindow').wasNotCalled();`;
    expect(passedOf('', [clean + code, clean + code])).toEqual([true, true]);
    expect(passedOf('', [code + clean])).toEqual([false]);
  });

  it('fails without code, as it tests nothing', () => {
    const scenarios = ['', '\n ', '// nothing to do'].map((code) => ({ name: 'It', code }));
    const outcomes = runTemplate(templateWith({ scenarios }));
    expect(outcomes.map(({ failure }) => failure)).toEqual([
      'it has no code',
      'it has no code',
      undefined,
    ]);
  });

  it('fails by fail, with its message', () => {
    expect(failureOf(`fail('No such thing');`)).toBe('No such thing');
    expect(failureOf(`fail();`)).toBe('fail was called');
  });

  it('fails by an error in its code, told with its own line', () => {
    const setup = `const a = 1;\nconst b = 2;`;
    expect(failureOf(`\nnothing();`, { setup })).toBe('nothing is not defined (line 2)');
    expect(failureOf('1;', { setup: `\nnothing();` })).toBe(
      'nothing is not defined (line 2 of the setup)',
    );
    expect(failureOf(`const = 1;`, { setup })).toMatch(/\(line 1\)$/);
  });

  it('fails by an error in the template, told with the line there', () => {
    expect(failureOf('runCode({});', { code: '\n\ndata.x.y();' })).toMatch(
      /^Cannot read .* \(line 3 of the template's code\)$/,
    );
  });

  it('fails by an error in a mock, told as its own', () => {
    const code = `\n\nrequire('makeString')();`;
    expect(failureOf(`mock('makeString', () => nothing());\nrunCode({});`, { code })).toBe(
      'nothing is not defined (line 1)',
    );
  });

  it('tells an error in an object of mocks as its own', () => {
    const code = `\n\nrequire('localStorage').getItem('x');`;
    for (const mock of ['mock', 'mockObject'])
      expect(
        failureOf(`\n${mock}('localStorage', {getItem: () => nothing()}); runCode();`, { code }),
      ).toBe('nothing is not defined (line 2)');
  });

  it("tells an error in the template's callback that a mock calls as the template's", () => {
    const code = `\n\nrequire('sendPixel')('', () => {\n  nothing();\n});`;
    expect(failureOf(`mock('sendPixel', (url, done) => done()); runCode({});`, { code })).toBe(
      "nothing is not defined (line 4 of the template's code)",
    );
    const endless = `const f = () => f(); require('sendPixel')('', f);`;
    expect(
      failureOf(`mock('sendPixel', (url, done) => done());\nrunCode({});`, { code: endless }),
    ).toContain("of the template's code");
  });

  it('does not see the globals of JavaScript', () => {
    for (const name of ['JSON', 'Math', 'Object', 'process', 'globalThis', 'console', 'setTimeout'])
      expect(failureOf(`${name};`)).toBe(`${name} is not defined (line 1)`);
  });

  it('ends although its code does not', () => {
    expect(failureOf(`while (true) {}`)).toContain('does not end');
    expect(failureOf(`const again = () => require('callLater')(again); again();`)).toBeUndefined();
  });

  it('keeps what went to the console', () => {
    const code = `require('logToConsole')('a', {b: 1});`;
    const [outcome] = runTemplate(templateWith({ scenarios: [{ name: 'x', code }] }));
    expect(outcome?.logged).toEqual(['"a" {"b": 1}']);
  });
});

describe('runCode', () => {
  it('gives what the template returns, each time anew', () => {
    const code = `let n = 1; n += data.n; return n;`;
    expect(
      failureOf(`assertThat([runCode({n: 1}), runCode({n: 2})]).isEqualTo([2, 3]);`, { code }),
    ).toBeUndefined();
  });

  it('hands its data over without changing the object of the test', () => {
    const code = `data.n = 7; data.gtmOnSuccess();`;
    expect(
      failureOf(
        `const mine = {n: 1}; runCode(mine); assertThat(mine).isEqualTo({n: 1});
        runCode(); assertApi('gtmOnSuccess').wasCalled();`,
        { code },
      ),
    ).toBeUndefined();
  });

  it('calls the callbacks of the test, and counts them too', () => {
    const code = `data.gtmOnSuccess();`;
    expect(
      failureOf(
        `let n = 0; runCode({gtmOnSuccess: () => { n += 1; }});
        assertThat(n).isEqualTo(1); assertApi('gtmOnSuccess').wasCalled();`,
        { code },
      ),
    ).toBeUndefined();
  });

  it('gives a variable no callbacks', () => {
    expect(
      failureOf(`assertThat(runCode({})).isUndefined();`, {
        type: 'MACRO',
        code: 'return data.gtmOnSuccess;',
      }),
    ).toBeUndefined();
  });

  it('does not let the template see the names of the tests', () => {
    for (const name of ['mock', 'assertThat', 'runCode'])
      expect(failureOf('runCode({});', { code: `${name};` })).toContain(`${name} is not defined`);
  });
});

describe('what happens later', () => {
  it('counts when an assertion in it does not hold', () => {
    const code = `require('callLater')(() => data.done(1));`;
    const expecting = (n: number) =>
      failureOf(`runCode({done: (n) => assertThat(n).isEqualTo(${n})});`, { code });
    expect(expecting(1)).toBeUndefined();
    expect(expecting(2)).toBe('expected 1 to be 2');
  });

  it('fails nothing otherwise, as the tag manager does not wait for it', () => {
    const code = `require('callLater')(() => data.x.y());`;
    const [outcome] = runTemplate(
      templateWith({ code, scenarios: [{ name: 'x', code: 'runCode({});' }] }),
    );
    expect(outcome?.failure).toBeUndefined();
    expect(outcome?.logged).toEqual([
      `"(called later) Cannot read properties of undefined (reading 'y') (line 1 of the template's code)"`,
    ]);
  });

  it.each([
    `require('callLater')(() => require('copyFromWindow')('secret'));`,
    `require('sha256')('x', () => require('copyFromWindow')('secret'));`,
  ])('fails by what is not permitted: %s', (code) => {
    expect(failureOf('runCode({});', { code })).toContain('copyFromWindow is refused');
  });
});

describe('a template', () => {
  it('whose code cannot be compiled fails every scenario, or itself without any', () => {
    const scenarios = [
      { name: 'a', code: '' },
      { name: 'b', code: '' },
    ];
    const code = '\nconst x = new Date();';
    const outcomes = runTemplate(templateWith({ code, scenarios }));
    expect(outcomes.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(outcomes[0]?.failure).toContain("line 2 of the template's code");
    expect(runTemplate(templateWith({ code }))).toMatchObject([{ name: "the template's code" }]);
  });

  it('that only fails passes no test that asks for something', () => {
    const asking = [
      `runCode({}); assertApi('gtmOnSuccess').wasCalled();`,
      `runCode({}); assertApi('gtmOnFailure').wasNotCalled();`,
      `assertThat(runCode({})).isEqualTo(1);`,
      `let url; mock('sendPixel', (given) => { url = given; }); runCode({}); assertThat(url).contains('a');`,
      `runCode({}); assertApi('sendPixel').wasCalledWith('x');`,
    ];
    expect(passedOf('data.gtmOnFailure();', asking)).toEqual(asking.map(() => false));
  });
});
