import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runChild } from '../helpers/child.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { fileWith } from './parts.ts';

const MAIN = fileURLToPath(new URL('../../build/template-runner/main.ts', import.meta.url));

async function run(...args: string[]) {
  const child = runChild(MAIN, args);
  const { code } = await child.ended;
  return { code, out: child.stdout(), err: child.stderr() };
}

function file(content: string | Uint8Array): string {
  const name = path.join(tempDir(), 'template.tpl');
  writeFileSync(name, content);
  return name;
}

const TESTS = `scenarios:
- name: Succeeds
  code: |-
    runCode({});
    require('logToConsole')('quiet');
    assertApi('gtmOnSuccess').wasCalled();
- name: Fails
  code: |-
    require('logToConsole')('loud');
    fail('on purpose');
`;

describe('npm run template:test', () => {
  it('tells of each scenario and ends with 1 when one fails', async () => {
    const code = `const sendPixel = require('sendPixel'); data.gtmOnSuccess();`;
    const name = file(fileWith({ SANDBOXED_JS_FOR_WEB_TEMPLATE: code, TESTS }));
    expect(await run(name)).toEqual({
      code: 1,
      err: '',
      out: [
        'passed  Succeeds',
        'FAILED  Fails: on purpose',
        '        console: "loud"',
        'FAILED  permissions: sendPixel is used without send_pixel',
        '1 passed, 2 failed\n',
      ].join('\n'),
    });
  });

  it('tells once of what was required by a name that only the running code knew', async () => {
    const code = `const name = 'send' + 'Pixel'; require(name)('https://a.test/');`;
    const scenario = (name: string) =>
      `- name: ${name}\n  code: mock('sendPixel', 1); runCode({});\n`;
    const tests = `scenarios:\n${scenario('A')}${scenario('B')}`;
    const name = file(fileWith({ SANDBOXED_JS_FOR_WEB_TEMPLATE: code, TESTS: tests }));
    expect(await run(name)).toMatchObject({
      code: 1,
      out: 'passed  A\npassed  B\nFAILED  permissions: sendPixel is used without send_pixel\n2 passed, 1 failed\n',
    });
  });

  it.each([
    [fileWith({ TESTS: 'scenarios:\n- name: A\n  code: runCode({});' }), '1 passed, 0 failed\n'],
    [fileWith({}), 'It has no tests.\n0 passed, 0 failed\n'],
  ])('ends with 0 when nothing fails', async (content, last) => {
    const { code, out } = await run(file(content));
    expect(code).toBe(0);
    expect(out.endsWith(last)).toBe(true);
  });

  it.each([
    ['\u0089PNG\r\n\u0000\u0000', /not a web template/],
    [fileWith({ TESTS: 'scenarios: [' }), /TESTS is not valid YAML/],
  ])('ends with 2 and one sentence for a file that it cannot read', async (content, reason) => {
    const { code, out, err } = await run(file(Buffer.from(content, 'latin1')));
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(reason);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('ends with 2 for no file, two files, a directory and one that is not there', async () => {
    const dir = tempDir();
    expect(await run()).toMatchObject({ code: 2, err: expect.stringContaining('Usage') as string });
    expect(await run('a', 'b')).toMatchObject({ code: 2 });
    expect(await run('--other')).toMatchObject({ code: 2 });
    expect((await run(dir)).err).toContain('it is a directory');
    expect((await run(path.join(dir, 'no.tpl'))).err).toContain('there is no such file');
  });

  it('shows what a template says as text that does not steer the terminal', async () => {
    const TESTS = 'scenarios:\n- name: "A\\n9 passed, 0 failed"\n  code: fail("\\u001B[2J");';
    const { out } = await run(file(fileWith({ TESTS })));
    expect(out).toBe('FAILED  A 9 passed, 0 failed: \\x1b[2J\n0 passed, 1 failed\n');
  });

  it('explains itself', async () => {
    expect(await run('--help')).toMatchObject({ code: 0, err: '' });
  });
});
