import { describe, expect, it } from 'vitest';
import { fileWith, permission } from './parts.ts';
import { readTemplate } from '../../build/template-runner/template-file.ts';

const TESTS = `scenarios:
- name: First
  code: |-
    runCode({});
    fail();
- name: 404
setup: const x = 1;`;

describe('reading a template', () => {
  it('takes the parts that count out of it', () => {
    const grant = permission('send_pixel', { allowedUrls: 'specific', urls: ['https://a.test/'] });
    const source = fileWith({
      INFO: '{"type": "MACRO"}',
      SANDBOXED_JS_FOR_WEB_TEMPLATE: 'return 1;',
      WEB_PERMISSIONS: JSON.stringify([grant]),
      TESTS,
    });
    const template = readTemplate(source);
    expect(template.type).toBe('MACRO');
    expect(template.code.trim()).toBe('return 1;');
    expect(template.setup).toBe('const x = 1;');
    expect(template.scenarios).toEqual([
      { name: 'First', code: 'runCode({});\nfail();' },
      { name: '404', code: '' },
    ]);
    expect([...template.grants]).toEqual([
      ['send_pixel', { allowedUrls: 'specific', urls: ['https://a.test/'] }],
    ]);
  });

  it('does not mind order, a BOM, other line ends and text before the first section', () => {
    const sections = ['___TESTS___', TESTS, '___SANDBOXED_JS_FOR_WEB_TEMPLATE___ ', 'data.x();'];
    const source = `\uFEFFWords\n${sections.join('\n')}\n`;
    for (const text of [source, source.replaceAll('\n', '\r\n'), source.replaceAll('\n', '\r')]) {
      const template = readTemplate(text);
      expect(template.scenarios).toHaveLength(2);
      expect(template.scenarios[0]?.code).toBe('runCode({});\nfail();');
      expect(template.code.trim()).toBe('data.x();');
    }
  });

  it('sees a marker right after a BOM', () => {
    const source = `\uFEFF___SANDBOXED_JS_FOR_WEB_TEMPLATE___\ndata.x();`;
    expect(readTemplate(source).code).toBe('data.x();');
  });

  it('takes a marker only alone on its line', () => {
    const code = 'const a = 1; // ___TESTS___\nconst b = "___NOTES___";';
    const template = readTemplate(fileWith({ SANDBOXED_JS_FOR_WEB_TEMPLATE: code }));
    expect(template.code.trim()).toBe(code);
  });

  it('counts lines as the editor does, without the empty one before the code', () => {
    expect(readTemplate(fileWith({ SANDBOXED_JS_FOR_WEB_TEMPLATE: 'x' })).code).toMatch(/^x/);
  });

  it.each([undefined, '', 'scenarios: []', 'scenarios:', 'setup: ""'])(
    'has no scenarios with the tests %j',
    (tests) => {
      const template = readTemplate(fileWith(tests === undefined ? {} : { TESTS: tests }));
      expect(template.scenarios).toEqual([]);
      expect(template.setup).toBe('');
    },
  );

  it('does not mind commas too many at the end of a list or an object', () => {
    const grant = JSON.stringify(permission('logging', { environments: ',] all,}' }));
    const source = fileWith({ WEB_PERMISSIONS: `[${grant.slice(0, -1)}, } ,\n ]` });
    expect([...readTemplate(source).grants]).toEqual([['logging', { environments: ',] all,}' }]]);
  });

  it('takes nothing but text for the code of a scenario', () => {
    const tests =
      'scenarios:\n- code: fail();\n- cod: fail();\n- code: 42\n- code: [x]\n- code: |-\n';
    const { scenarios } = readTemplate(fileWith({ TESTS: tests }));
    expect(scenarios.map(({ code }) => code)).toEqual(['fail();', '', '', '', '']);
  });

  it('names a scenario that has no name', () => {
    const template = readTemplate(fileWith({ TESTS: 'scenarios:\n- code: fail();' }));
    expect(template.scenarios).toEqual([{ name: 'Untitled test 1', code: 'fail();' }]);
  });

  it.each([
    ['', /not a web template/],
    ['\u0000\u0001\uFFFDPNG', /not a web template/],
    ['___INFO___\n{}', /no section SANDBOXED_JS_FOR_WEB_TEMPLATE/],
    ['___SANDBOXED_JS_FOR_SERVER___\n', /server container/],
    [fileWith({ INFO: '{"type": }' }), /INFO is not valid JSON/],
    [
      fileWith({ WEB_PERMISSIONS: '[1,,\n]' }),
      /WEB_PERMISSIONS is not valid JSON: Unexpected token '\]'\.$/,
    ],
    [fileWith({ WEB_PERMISSIONS: '{}' }), /WEB_PERMISSIONS does not hold a list/],
    [fileWith({ TESTS: 'scenarios: [' }), /TESTS is not valid YAML: [^\n:]+\.$/],
    [fileWith({ TESTS: 'scenarios: 1' }), /list of scenarios/],
    [fileWith({ TESTS: 'scenarios: [1]' }), /list of scenarios/],
    [fileWith({ TESTS: '- a' }), /does not hold scenarios/],
  ])('refuses %j', (source, reason) => {
    expect(() => readTemplate(source)).toThrow(reason);
  });
});
