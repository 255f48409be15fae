import { expect, it } from 'vitest';
import { hidingKeys } from '../../server/http/hidden-keys.ts';
import type { Mask } from '../../server/tenants/key-mask.ts';
import { identityApp } from '../helpers/identity-parts.ts';

const hideWord: Mask = (text) => text.replaceAll('secret', '••••');

/** One route that answers what it is told to, hiding a word. */
async function hidingApp(answer: unknown, mask = hideWord) {
  const app = await identityApp({}, (app, { identity }) => {
    void app.register(
      hidingKeys(
        () => mask,
        [
          async (routes) => {
            const onRequest = identity.requires({ scope: 'read' });
            routes.get('/answer', { onRequest, handler: async () => answer });
          },
        ],
      ),
    );
  });
  const tenantId = app.tenants.first().id;
  const input = { name: 'Reader', scope: 'read' as const, allowed_domains: [] };
  const { secret } = await app.keys.issue(tenantId, input, app.clock.now());
  return { ...app, asReader: () => app.byKey('GET', '/answer', undefined, secret) };
}

it('hides keys in every text and name from who may only read, and changes nothing', async () => {
  const answer = [{ of: 'a secret', secret: [1, null, 'secret'] }, 'secret'];
  const before = structuredClone(answer);
  const { asReader, byKey } = await hidingApp(answer);
  expect((await asReader()).json()).toEqual([{ of: 'a ••••', '••••': [1, null, '••••'] }, '••••']);
  expect((await byKey('GET', '/answer')).json()).toEqual(before);
  expect(answer).toEqual(before);
});

it('lets others have their turn while the keys of a long list are hidden', async () => {
  let turns = 0;
  const seen: number[] = [];
  const slow: Mask = (text) => {
    seen.push(turns);
    const begun = performance.now();
    while (performance.now() - begun < 10);
    return text;
  };
  const { asReader } = await hidingApp(['a', 'b', 'c', 'd'], slow);
  let isOver = false;
  const others = () => {
    turns++;
    if (!isOver) setImmediate(others);
  };
  others();
  await asReader();
  isOver = true;
  expect(new Set(seen).size).toBe(4);
});

it('answers who is nobody as everywhere', async () => {
  const { byKey } = await hidingApp('secret');
  const answer = await byKey('GET', '/answer', undefined, 'no-key-of-anybody');
  expect(answer.statusCode).toBe(401);
  expect(answer.json()).toEqual({ detail: expect.any(String) as string });
});
