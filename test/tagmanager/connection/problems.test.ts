import { expect, it } from 'vitest';
import { problems } from '../../../server/platform/errors.ts';
import { faultCodes } from '../../../server/tagmanager/connection/schema.ts';
import { TagManagerFault } from '../../../server/tagmanager/faults.ts';

it('a fault is answered by what can be done: later, elsewhere, or after putting it right', () => {
  const statuses = faultCodes.map((code) => {
    const answer = problems.tagManagerFault(new TagManagerFault(code, 'What.', 'Way on.'));
    expect(answer.body()).toEqual({ detail: 'What. Way on.' });
    expect('retry-after' in answer.headers).toBe(answer.status === 503);
    return [code, answer.status] as const;
  });
  const others = statuses.filter(([, status]) => status !== 409);
  expect(Object.fromEntries(others)).toEqual({
    ...{ not_found: 404, quota_day: 503, quota: 503, unreachable: 503 },
  });
});

it('a fault that knows how long it lasts says so', () => {
  const fault = new TagManagerFault('quota', 'What.', 'Way on.', 73.2);
  expect(problems.tagManagerFault(fault).headers).toEqual({ 'retry-after': '74' });
});

it('what stands in the way of a change is 409, with names where there are some', () => {
  expect(problems.tagManagerBusy().status).toBe(409);
  expect(problems.changeClosed().status).toBe(409);
  const needs = problems.changeNeeds(['Template', 'All events']);
  expect(needs.status).toBe(409);
  expect(needs.message).toContain('Template, All events');
});
