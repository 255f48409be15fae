import { describe, expect, it } from 'vitest';
import { clientFrom } from '../../ui/src/pages/tag-manager/connect/client.ts';
import { ofContainer, takesTemplate } from '../../ui/src/pages/tag-manager/connect/choices.ts';
import { isOnThisMachine } from '../../ui/src/pages/tag-manager/connect/here.ts';

const ID = '42-x.apps.googleusercontent.com';

describe('a client that is typed or pasted', () => {
  it('is the ID itself, without the blanks around it', () => {
    expect(clientFrom(` ${ID}\n`)).toEqual({ id: ID, secret: undefined, fault: undefined });
  });

  it('is taken out of the file for desktop apps', () => {
    const file = {
      installed: { client_id: ID, client_secret: 's', redirect_uris: ['http://localhost'] },
    };
    expect(clientFrom(JSON.stringify(file))).toEqual({ id: ID, secret: 's', fault: undefined });
    const open = { installed: { client_id: ID } };
    expect(clientFrom(JSON.stringify(open))).toMatchObject({ id: ID, secret: undefined });
  });

  it('of another type, or of no type at all, is told', () => {
    expect(clientFrom(JSON.stringify({ web: { client_id: ID } })).fault).toMatch(/Desktop app/);
    for (const text of ['{', '{"installed":1}', '{"installed":{"client_id":5}}', '{}']) {
      expect(clientFrom(text).fault, text).toBe('This is not the file of an OAuth client.');
    }
  });
});

describe('a container to choose', () => {
  const container = (usage_context: string[]) => ({
    ...{ account_id: '1', container_id: '2', public_id: 'GTM-A', name: 'shop.example' },
    usage_context,
  });

  it('takes the template where it is for websites, however that is written', () => {
    expect(takesTemplate(container(['WEB']))).toBe(true);
    expect(ofContainer(container(['web'])).note).toBeUndefined();
  });

  it('says what else it is for', () => {
    expect(ofContainer(container(['iosSdk5', 'androidSdk5'])).note).toBe(
      'for iOS and Android, not for websites',
    );
    expect(ofContainer(container(['somethingNew'])).note).toBe(
      'for somethingNew, not for websites',
    );
    expect(ofContainer(container([])).note).toBe('not for websites');
  });
});

it.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['localhost', true],
  ['vedette.localhost', true],
  ['[::1]', true],
  ['192.168.1.4', false],
  ['127.0.0.1.example', false],
  ['notlocalhost', false],
])('%s is this machine: %s', (hostname, expected) => {
  expect(isOnThisMachine(hostname)).toBe(expected);
});
