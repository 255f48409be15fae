import { describe, expect, it } from 'vitest';
import { lint } from '../../build/template-runner/lint.ts';

const messages = (source: string, known?: ReadonlySet<string>) =>
  lint(source, known).map(({ message }) => message);

describe('the lint', () => {
  it('has nothing against what the sandbox has', () => {
    const source = `
      const log = require('logToConsole');
      const ObjectApi = require('Object');
      const own = {find: (x) => x, includes: 1};
      outer(own.find(1));
      function outer(list) {
        for (let i = 0; i < list.length; i++) { log(i, arguments.length, undefined); }
        for (const key in list) { if (key === 'a') break; else continue; }
        for (const item of list.map((x) => x.y).filter((x) => x)) { log(item); }
        switch (data.kind) { case 'a': let found = 1; log(found); }
        if (data.on) { function inner() { return late; } }
        var late = inner();
        return ObjectApi.keys(list).concat(ObjectApi.values(list), require('JSON').parse('[]'));
      }
      (function named(n) { return n ? named(n - 1) : 0; })(2);
      data.gtmOnSuccess();`;
    expect(lint(source, new Set(['logToConsole', 'Object', 'JSON']))).toEqual([]);
  });

  it('tells all that is wrong, once each, by line', () => {
    const source = `const {a, b = 1} = data;
try { window.send(\`\${JSON.stringify(a)}\`); } catch (e) { log(e); }
const o = {a, m() { return this.x; }};
[a].includes(b) || [b].includes(a) || 'a'['padStart'](2);
class Foo { bar() { return new Foo(...o); } }
outer: for (const k of o?.k) { delete o.k; 'a' in o; break outer; }
require(a); require('nope'); require('a', 'b');
o.constructor; o.__proto__;`;
    expect(lint(source, new Set(['a'])).map(({ line, message }) => `${line} ${message}`)).toEqual([
      '1 there is no destructuring in the sandbox',
      '1 there are no default values in the sandbox',
      '2 there is no try in the sandbox',
      '2 there are no template literals in the sandbox: join strings with +',
      '2 window is not declared, and the sandbox has no such global',
      '2 JSON is not declared, and the sandbox has no such global',
      '2 log is not declared, and the sandbox has no such global',
      '3 there are no shorthand properties in the sandbox: write key: value',
      '3 there are no shorthand methods in the sandbox: write key: function',
      '3 there is no this in the sandbox',
      '4 there is no method .includes() in the sandbox',
      '4 there is no method .padStart() in the sandbox',
      '5 there are no classes in the sandbox',
      '5 there is no new in the sandbox',
      '5 there is no spread (...) in the sandbox',
      '6 labels are in no published template',
      '6 there is no ?. in the sandbox',
      "6 delete is in no published template: use require('Object').delete",
      '6 in is in no published template: use hasOwnProperty',
      '7 require takes the name of an API, written as a string',
      '7 there is no API named nope',
      '8 there is no .constructor in the sandbox',
      '8 there is no .__proto__ in the sandbox',
    ]);
  });

  it.each(
    'window document JSON Math Object Array String Number Date setTimeout console encodeURIComponent parseInt isNaN NaN Infinity Promise arguments'.split(
      ' ',
    ),
  )('knows no global %s', (name) => {
    expect(messages(`data.f(${name});`)).toEqual([
      `${name} is not declared, and the sandbox has no such global`,
    ]);
    expect(messages(`const ${name} = require('x'); data.f(${name});`)).toEqual([]);
  });

  it.each(
    'includes find findIndex flat flatMap fill at entries startsWith endsWith padStart padEnd repeat trimStart charCodeAt matchAll replaceAll toFixed call apply bind valueOf test exec'.split(
      ' ',
    ),
  )('knows no method %s', (name) => {
    expect(messages(`data.x.${name}(1);`)).toEqual([
      `there is no method .${name}() in the sandbox`,
    ]);
    expect(messages(`data.x.${name};`)).toEqual([]);
  });

  it.each([
    ['a name used outside its block', '{ let x = 1; }\nx;'],
    ['a name of a loop used after it', 'for (let x = 0;;) {}\nx;'],
    ['a name of a function used outside', 'const f = (x) => x;\nx;'],
    ['a function expression’s own name outside', 'const f = function x() {};\nx;'],
    ['a name that is only assigned', 'data.y = 1;\nx = 1;'],
    ['a name that is only asked for', 'data.y = 1;\ntypeof x;'],
    ['a name that is only a key', 'const o = {x: 1}; o.x = 2;\nx;'],
  ])('tells %s', (_, source) => {
    expect(lint(source)).toEqual([
      { line: 2, message: 'x is not declared, and the sandbox has no such global' },
    ]);
  });

  it('takes a var, and a function of a block, for the whole function’s', () => {
    expect(lint('if (data.a) { var x = 1; function f() {} }\nf(x);')).toEqual([]);
  });

  it('takes what is handed in besides', () => {
    const source = 'runCode({a: 1});';
    expect(lint(source)).toHaveLength(1);
    expect(lint(source, undefined, new Set(['runCode']))).toEqual([]);
  });

  it('tells where it cannot be read', () => {
    expect(lint('data.a;\nif (')).toEqual([{ line: 2, message: 'Unexpected token: the end' }]);
  });
});
