import { describe, expect, it } from 'vitest';
import { templateFor } from '../../server/tagmanager/template.ts';
import { freshTenant } from '../helpers/tenant.ts';
import { APIS } from '../../build/template-runner/apis/all.ts';
import { lint } from '../../build/template-runner/lint.ts';
import { permissionFaults } from '../../build/template-runner/permission-faults.ts';
import { runTemplate } from '../../build/template-runner/run.ts';
import { readTemplate } from '../../build/template-runner/template-file.ts';
import type { Template } from '../../build/template-runner/template-file.ts';

const URL = 'http://192.168.1.20:8737';

/** As the specification names them. */
const NAMED = [
  'all-mode send',
  'e-commerce mode filters out a non-e-commerce event',
  'e-commerce mode captures purchase',
  'custom mode filters an unlisted event',
  'custom mode captures a listed event',
  'the pixel URL carries the API key',
  'lifecycle events are captured in all mode',
  'null event names are filtered',
];

const file = templateFor(URL);
const template = readTemplate(file);

const section = (name: string): unknown => {
  const [, text = ''] = new RegExp(`^___${name}___$(.*?)^___`, 'ms').exec(file) ?? [];
  return JSON.parse(text);
};

const failures = (changed: Partial<Template> = {}) =>
  runTemplate({ ...template, ...changed }).filter(({ failure }) => failure !== undefined);

describe('the template that the appliance serves', () => {
  it('passes all of its tests, those of the specification first', async () => {
    const path = `/tag-manager/template.tpl?url=${encodeURIComponent(URL)}`;
    expect((await (await freshTenant()).get(path)).body).toBe(file);
    expect(failures()).toEqual([]);
    expect(template.scenarios.slice(0, NAMED.length).map(({ name }) => name)).toEqual(NAMED);
    for (const { name } of template.scenarios) expect(name).toMatch(/^[A-Za-z0-9 _-]+$/);
  });

  it('fails all of them when it only fails, and most when it only succeeds', () => {
    const failed = failures({ code: 'data.gtmOnFailure();' });
    expect(failed.map(({ name }) => name)).toEqual(template.scenarios.map(({ name }) => name));
    expect(failures({ code: 'data.gtmOnSuccess();' }).length).toBeGreaterThan(20);
  });

  it('is written in the language that the sandbox has', () => {
    const known = new Set(Object.keys(APIS));
    expect(lint(template.code, known)).toEqual([]);
    const ofTests = new Set(['assertApi', 'assertThat', 'fail', 'mock', 'require', 'runCode']);
    for (const { name, code } of template.scenarios) {
      expect(lint(`${template.setup}\n${code}`, known, ofTests), name).toEqual([]);
    }
  });

  it('asks for the permissions that it needs, and for no other', () => {
    expect(permissionFaults(template)).toEqual([]);
    for (const name of template.grants.keys()) {
      const grants = new Map(template.grants);
      grants.delete(name);
      expect(permissionFaults({ ...template, grants }), name).not.toEqual([]);
    }
    expect(Object.fromEntries(template.grants)).toEqual({
      access_globals: { keys: [{ key: 'dataLayer', read: true, write: false, execute: false }] },
      get_url: { urlParts: 'any', queriesAllowed: 'any' },
      logging: { environments: 'all' },
      read_container_data: {},
      read_data_layer: {
        allowedKeys: 'specific',
        keyPatterns: ['event', 'ecommerce', 'eventModel', 'gtm.uniqueEventId'],
      },
      send_pixel: { allowedUrls: 'specific', urls: [`${URL}/api/v1/events/collect*`] },
    });
  });

  it('runs with these permissions when nothing stands in for what they guard', () => {
    const code = `
      const push = require('createQueue')('dataLayer');
      push({event: 'purchase', ecommerce: {value: 12}});
      mock('copyFromDataLayer', (key) => (key === 'event' ? 'purchase' : undefined));
      runCode({apiKey: 'vdt_key', captureDataLayer: true, debugLogging: true});
      assertApi('sendPixel').wasCalled();`;
    const scenarios = [{ name: 'It', code }];
    expect(failures({ setup: '', scenarios })).toEqual([]);
    const elsewhere = { allowedUrls: 'specific', urls: ['https://elsewhere.example/*'] };
    const grants = new Map(template.grants).set('send_pixel', elsewhere);
    expect(failures({ setup: '', scenarios, grants })[0]?.failure).toContain('send_pixel');
  });

  it('has the fields of the specification', () => {
    const fields = section('TEMPLATE_PARAMETERS') as Record<string, unknown>[];
    expect(
      fields.map(({ type, displayName, checkboxText, defaultValue, enablingConditions }) => [
        ...[type, displayName ?? checkboxText, defaultValue, enablingConditions],
      ]),
    ).toEqual([
      ['TEXT', 'API Key', undefined, undefined],
      ['SELECT', 'When to Send Data', 'all', undefined],
      [
        ...['TEXT', 'Custom Events', undefined],
        [{ paramName: 'triggerMode', paramValue: 'custom', type: 'EQUALS' }],
      ],
      ['CHECKBOX', 'Capture full dataLayer snapshot', false, undefined],
      ['CHECKBOX', 'Capture e-commerce items array', true, undefined],
      ['CHECKBOX', 'Enable debug logging', false, undefined],
    ]);
    expect(fields[0]?.['valueValidators']).toEqual([{ type: 'NON_EMPTY' }]);
    expect(fields[1]?.['selectItems']).toEqual([
      { value: 'all', displayValue: 'All Events' },
      { value: 'ecommerce', displayValue: 'E-commerce Events Only' },
      { value: 'custom', displayValue: 'Custom Event List' },
    ]);
  });

  it('is a tag for web containers', () => {
    expect(section('INFO')).toMatchObject({
      type: 'TAG',
      displayName: 'Vedette',
      containerContexts: ['WEB'],
    });
  });
});
