import { describe, expect, it } from 'vitest';
import { runInWorker } from '../../build/template-runner/in-worker.ts';
import { templateWith } from './parts.ts';
import { runTemplate } from '../../build/template-runner/run.ts';

const scenarios = (...codes: string[]) => codes.map((code, i) => ({ name: `${i}`, code }));

const UNLUCKY = `'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.match('(a+)+$');`;
const SHARED = `let a = [1]; for (let i = 0; i < 40; i++) a = [a, a];`;

describe('scenarios in a thread of their own', () => {
  it('come to the same as here, with what they logged', async () => {
    const template = templateWith({
      code: `require('logToConsole')(data.x); data.gtmOnSuccess();`,
      scenarios: scenarios(
        `runCode({x: 1}); assertApi('gtmOnSuccess').wasCalled();`,
        'fail("no");',
        '',
      ),
    });
    expect(await runInWorker(template)).toEqual(runTemplate(template));
    for (const other of [templateWith(), templateWith({ code: 'new X()' })])
      expect(await runInWorker(other)).toEqual(runTemplate(other));
  });

  it('fail when they do not end, and the next one runs', async () => {
    const endless = [
      UNLUCKY,
      `${SHARED} '' + a;`,
      'runCode({});',
      `require('callLater')(() => { ${UNLUCKY} });`,
    ];
    const codes = endless.flatMap((code) => [code, 'fail("on purpose");']);
    const template = templateWith({ code: UNLUCKY, scenarios: scenarios('1;', ...codes) });
    const failures = (await runInWorker(template, 300)).map(({ failure }) => failure);
    const why = 'it does not end: it took longer than 0.3 s';
    expect(failures).toEqual([undefined, ...endless.flatMap(() => [why, 'on purpose'])]);
  });
});
