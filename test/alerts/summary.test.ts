import { expect, it } from 'vitest';
import type { AlertSummary } from '../../server/alerts/schema.ts';
import { acknowledged, alertsApp, anAlert, at, OTHER_TENANT, resolved } from '../helpers/alerts.ts';
import { START } from '../helpers/identity-parts.ts';

it('the summary counts what is open by severity and what is acknowledged, and has the newest', async () => {
  const { given, get } = await alertsApp();
  const early = { created_at: at(START - 1) };
  const [, , , , , , newest] = await given(
    { severity: 'critical', ...early },
    { severity: 'warning', ...early },
    { severity: 'warning', ...early },
    { severity: 'critical', ...acknowledged, ...early },
    { severity: 'info', ...resolved, ...early },
    { severity: 'info', ...acknowledged, ...resolved, ...early },
    { severity: 'info', ...resolved },
  );
  expect(await get<AlertSummary>('/summary')).toEqual({
    open: { critical: 1, warning: 2, info: 0 },
    acknowledged: 1,
    latest: newest,
  });
});

it('the summary of nothing has no newest, nor anything of another tenant', async () => {
  const { get, insert } = await alertsApp();
  await insert([anAlert()], OTHER_TENANT);
  expect(await get('/summary')).toEqual({
    open: { critical: 0, warning: 0, info: 0 },
    acknowledged: 0,
    latest: null,
  });
});
