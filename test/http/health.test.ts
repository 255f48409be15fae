import { expect, it } from 'vitest';
import { createHealth } from '../../server/http/health.ts';
import { startAppliance } from '../helpers/appliance.ts';

it('is what GET /health answers and what a start hands out alike', async () => {
  await using vedette = await startAppliance();
  const answer = await vedette.app.inject({ url: '/health' });
  expect(answer.statusCode).toBe(200);
  expect(vedette.health()).toEqual(answer.json());
  const ok = { ok: true };
  expect(answer.json()).toEqual({
    ...{ status: 'ok', checks: { journal: ok, database: ok, rules: ok, backup: ok } },
  });
});

it('is degraded while one part is, in the words of that part, and asked anew each time', () => {
  let word: true | string = true;
  const health = createHealth({ disk: () => word, rules: () => true });
  const rules = { ok: true };
  expect(health()).toEqual({ status: 'ok', checks: { disk: { ok: true }, rules } });
  word = 'The disk is full';
  expect(health()).toEqual({
    status: 'degraded',
    checks: { disk: { ok: false, detail: 'The disk is full' }, rules },
  });
});
