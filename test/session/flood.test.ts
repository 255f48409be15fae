import { expect, it } from 'vitest';
import { ALL_GUESSES } from '../../server/platform/bounds.ts';
import { startAppliance } from '../helpers/appliance.ts';
import { pixelOf, waitsBeside } from '../helpers/neighbour.ts';
import { freshTenant } from '../helpers/tenant.ts';

const PASSWORD = 'correct horse';
const ROUNDS = 8;
const AT_ONCE = 16;

it('a flood of wrong passwords from everywhere slows no pixel and locks no owner out', async () => {
  await using appliance = await startAppliance({ password: PASSWORD });
  const neighbour = await freshTenant(appliance);
  await neighbour.owner.ask('PATCH', '/settings', { dashboard_on_lan: true });

  const signIn = (body: object, headers: Record<string, string> = {}) =>
    fetch(`${appliance.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: appliance.url, ...headers },
      body: JSON.stringify(body),
    });
  const owner = await signIn({ password: PASSWORD });
  const device = /vedette_device=[^;]+/.exec(owner.headers.getSetCookie().join('\n'))?.[0] ?? '';
  const token = new URL(appliance.signInUrl()).hash.slice('#token='.length);

  let visitor = 0;
  const answers: number[] = [];
  const { calm, attacked } = await waitsBeside(pixelOf(neighbour), async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const guesses = Array.from({ length: AT_ONCE }, async () => {
        const address = `203.0.${(visitor >> 8) + 1}.${visitor++ & 255}`;
        const { status } = await signIn({ password: 'wrong' }, { 'x-forwarded-for': address });
        answers.push(status);
      });
      await Promise.all(guesses);
    }
  });

  // Each that is judged takes a core for a tenth of a second.
  expect(answers.filter((status) => status === 401).length).toBeLessThan(ALL_GUESSES.free + 10);
  expect(answers.filter((status) => status === 429).length).toBeGreaterThan(90);
  expect(attacked.refused).toEqual([]);
  expect(attacked.worst, JSON.stringify({ calm, attacked })).toBeLessThan(1000);
  expect((await signIn({ password: PASSWORD })).status).toBe(429);
  expect((await signIn({ password: PASSWORD }, { cookie: device })).status).toBe(201);
  expect((await signIn({ token })).status).toBe(201);
});
