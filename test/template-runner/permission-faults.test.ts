import { describe, expect, it } from 'vitest';
import { permission } from './parts.ts';
import { permissionFaults } from '../../build/template-runner/permission-faults.ts';
import { grantsIn } from '../../build/template-runner/permissions.ts';

const GRANTS = [
  permission('send_pixel', { urls: ['https://a.test/'] }),
  permission('read_data_layer', { keyPatterns: ['event'] }),
  permission('access_consent', { consentTypes: [{ consentType: 'x', read: true, write: true }] }),
];

const faults = (code: string, given = GRANTS) =>
  permissionFaults({ code, grants: grantsIn(given) });

describe('the permissions that a template lacks by its text alone', () => {
  it('are told once for each API, called or not', () => {
    const code = `
      const sendPixel = require('sendPixel');
      const again = require('sendPixel');
      require('localStorage').getItem('x');
      sendPixel(data.url);
      require('getType')(require('JSON').parse(require('unknown')()));`;
    expect(faults(code, [])).toEqual([
      'sendPixel is used without send_pixel',
      'localStorage is used without access_local_storage',
    ]);
    expect(faults(`const sendPixel = require('sendPixel'); sendPixel(data.url);`)).toEqual([]);
  });

  it('count although the template asks first, as it never gets there', () => {
    const code = `if (require('queryPermission')('get_url')) require('getUrl')();`;
    expect(faults(code)).toEqual(['getUrl is used without get_url']);
  });

  it.each([
    [
      `const read = require('copyFromDataLayer'); read('other');`,
      'copyFromDataLayer "other" is outside of read_data_layer (line 1)',
    ],
    [
      `\nrequire('sendPixel')('https://b.test/', data.gtmOnSuccess);`,
      'sendPixel "https://b.test/" is outside of send_pixel (line 2)',
    ],
    [
      `require('updateConsentState')({x: data.x, 'y': data.y});`,
      'updateConsentState "y" "write" is outside of access_consent (line 1)',
    ],
  ])('are told for what is plain to see: %s', (code, fault) => {
    expect(faults(code)).toEqual([fault]);
  });

  it.each([
    [`require('copyFromDataLayer')('event'); require('sendPixel')('https://a.test/x');`],
    [`require('copyFromDataLayer')(data.key); require('sendPixel')('https://' + data.host);`],
    [`const f = require('copyFromDataLayer'); const g = (f) => f('other');`],
    [`const g = (f) => f('other'); const f = require('copyFromDataLayer');`],
    [`let f = require('copyFromDataLayer'); f = data.f; f('other');`],
    [`if (require('queryPermission')('read_data_layer', 'x')) require('copyFromDataLayer')('x');`],
    [`const may = (name) => require('queryPermission')(name); require('copyFromDataLayer')('x');`],
    [`const x = require('JSON')[data.method]('x'); data.event('other');`],
    [`require(data.name)('other'); require();`],
    [`const broken = ;`],
  ])('are not guessed: %s', (code) => {
    expect(faults(code)).toEqual([]);
  });
});
