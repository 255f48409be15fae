import { expect, it } from 'vitest';
import { readEndpoints } from '../../../server/tagmanager/connection/endpoints.ts';

it('are those of Google unless told otherwise', () => {
  for (const text of [undefined, '', ' ', '{}']) {
    expect(readEndpoints(text)).toEqual({
      api: 'https://tagmanager.googleapis.com',
      authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
      token: 'https://oauth2.googleapis.com/token',
      revoke: 'https://oauth2.googleapis.com/revoke',
    });
  }
});

it('can be replaced one by one, and the API loses the slash at its end', () => {
  const given = { api: 'https://tags.shop.example/google/', token: 'http://127.0.0.1:9000/token' };
  expect(readEndpoints(JSON.stringify(given))).toMatchObject({
    api: 'https://tags.shop.example/google',
    token: 'http://127.0.0.1:9000/token',
    revoke: 'https://oauth2.googleapis.com/revoke',
  });
});

it.each(['http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1', 'http://127.9.9.9'])(
  'may be plain http on this machine: %s',
  (api) => {
    expect(readEndpoints(JSON.stringify({ api })).api).toBe(api);
  },
);

it.each([
  ['nothing', 'must be JSON'],
  ['"text"', 'must be an object'],
  ['null', 'must be an object'],
  ['{"apis":"https://a.example"}', 'apis is not known here'],
  ['{"api":7}', 'api must be a string'],
  ['{"api":"tags.example"}', 'api must be an address like'],
  ['{"token":"http://tags.example"}', 'token must begin with https://'],
  ['{"token":"http://127.0.0.1.tags.example"}', 'token must begin with https://'],
  ['{"revoke":"ftp://127.0.0.1"}', 'revoke must begin with https://'],
  ['{"api":"https://me:pw@tags.example"}', 'api must not have a user name'],
  ['{"authorize":"https://tags.example/?a=1"}', 'authorize must not have anything behind'],
  ['{"authorize":"https://tags.example/#a"}', 'authorize must not have anything behind'],
])('%s ends the start: %s', (text, words) => {
  expect(() => readEndpoints(text)).toThrow(words);
  expect(() => readEndpoints(text)).toThrow('VEDETTE_TAGMANAGER_ENDPOINTS');
});
