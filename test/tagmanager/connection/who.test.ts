import { expect, it } from 'vitest';
import { createWho } from '../../../server/tagmanager/connection/who.ts';
import { identityApp } from '../../helpers/identity-parts.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

it('who did something is named by browser and address, or by the key', async () => {
  const parts = await identityApp();
  const { sessions, tenants, keys, clock } = parts;
  const whoIs = createWho(parts);
  const tenantId = tenants.first().id;
  const from = { tenantId, openedBy: 'link' as const, address: '127.0.0.1' };
  const wordsOf = async (userAgent: string) => {
    const { session } = await sessions.open({ ...from, userAgent }, clock.now());
    return whoIs({ tenantId, sessionId: session.id });
  };
  expect(await wordsOf(FIREFOX)).toBe('Dashboard, Firefox on Linux, 127.0.0.1');
  expect(await wordsOf('curl/8.5.0')).toBe('Dashboard, curl, 127.0.0.1');
  expect(await wordsOf('')).toBe('Dashboard, an unnamed program, 127.0.0.1');

  const input = { name: 'CI', scope: 'full' as const, allowed_domains: [] };
  const key = await keys.issue(tenantId, input, clock.now());
  expect(whoIs({ tenantId, keyId: key.id })).toBe(`Key "CI" (…${key.last_four})`);
});

it('who is gone meanwhile is still somebody', async () => {
  const parts = await identityApp();
  const whoIs = createWho(parts);
  const tenantId = parts.tenants.first().id;
  expect(whoIs({ tenantId, sessionId: 'gone' })).toBe('Dashboard');
  expect(whoIs({ tenantId, keyId: 'gone' })).toBe('A key that is gone');
});
