import { describe, expect, it } from 'vitest';
import type { Alert } from '../../server/alerts/schema.ts';
import { acknowledged, ALERTS, alertsApp, anAlert, resolved } from '../helpers/alerts.ts';
import { START } from '../helpers/identity-parts.ts';

const LATER = START + 5000;

describe('a message about a change', () => {
  it.each([
    ['acknowledge', 'alert.acknowledged'],
    ['resolve', 'alert.resolved'],
  ])('is queued with the alert as it is after %s, once', async (verb, type) => {
    const { clock, given, post, outbox, tenantId } = await alertsApp();
    const [alert] = await given({});
    clock.time = LATER;
    const changed = await post<Alert>(`/${alert?.id}/${verb}`, { note: '\ufeff"a"\n' });
    expect(outbox.messages).toEqual([{ tenantId, type, alert: changed }]);
    expect(outbox.times).toEqual([LATER]);
    expect(outbox.wakes).toBe(1);

    await post(`/${alert?.id}/${verb}`, { note: 'another' });
    expect(outbox.messages).toHaveLength(1);
    expect(outbox.wakes).toBe(1);
  });

  it('is queued for each that a filter changed', async () => {
    const { given, post, outbox } = await alertsApp();
    const [first, , third] = await given({}, resolved, acknowledged);
    await post('/resolve', { filter: {}, note: 'done' });
    expect(outbox.messages.map(({ type, alert }) => [type, alert.id, alert.resolve_note])).toEqual([
      ['alert.resolved', third?.id, 'done'],
      ['alert.resolved', first?.id, 'done'],
    ]);
    expect(outbox.wakes).toBe(1);
  });

  it('is queued for each of very many, in portions', async () => {
    const { insert, post, outbox } = await alertsApp();
    const all = Array.from({ length: 1001 }, () => anAlert());
    await insert(all);
    await post('/resolve', { filter: {} });
    expect(new Set(outbox.messages.map(({ alert }) => alert.id)).size).toBe(1001);
    expect(outbox.times).toHaveLength(3);
    expect(outbox.wakes).toBe(1);
  });

  it('is not queued about an alert that nobody heard of', async () => {
    const { insert, post, outbox } = await alertsApp();
    const [quiet, loud] = [anAlert(), anAlert()];
    await insert([quiet], undefined, false);
    await insert([loud]);
    await post(`/${quiet.id}/acknowledge`);
    expect(outbox.messages).toEqual([]);
    expect(outbox.wakes).toBe(0);
    await post('/resolve', { filter: {} });
    expect(outbox.messages.map(({ alert }) => alert.id)).toEqual([loud.id]);
  });

  it('is not queued for a severity that nobody wants', async () => {
    const { given, post, outbox } = await alertsApp();
    outbox.wanted = ['critical'];
    const [info, critical] = await given({ severity: 'info' }, { severity: 'critical' });
    await post(`/${info?.id}/resolve`);
    expect(outbox.messages).toEqual([]);
    await post('/acknowledge', { filter: {} });
    expect(outbox.messages.map(({ alert }) => alert.id)).toEqual([critical?.id]);
  });

  it('is not queued for reopening, nor for deleting', async () => {
    const { given, byKey, post, outbox } = await alertsApp();
    const [alert] = await given(resolved);
    await post(`/${alert?.id}/reopen`);
    await post('/reopen', { filter: {} });
    await byKey('DELETE', `${ALERTS}/${alert?.id}`);
    expect([outbox.messages, outbox.wakes]).toEqual([[], 0]);
  });

  it('is queued again when an alert is resolved again after it was reopened', async () => {
    const { given, post, outbox } = await alertsApp();
    const [alert] = await given({});
    await post(`/${alert?.id}/resolve`);
    await post(`/${alert?.id}/reopen`);
    await post(`/${alert?.id}/resolve`);
    expect(outbox.messages).toHaveLength(2);
  });

  it.each([
    ['of one', (id = '') => [`/${id}/resolve`, { note: 'x' }] as const],
    ['by filter', () => ['/resolve', { filter: {}, note: 'x' }] as const],
  ])('and the change itself are one: neither happens when it fails, %s', async (_name, path) => {
    const { given, get, byKey, post, outbox } = await alertsApp();
    const [alert] = await given({});
    outbox.failing = true;
    const [url, body] = path(alert?.id);
    expect((await byKey('POST', `${ALERTS}${url}`, body)).statusCode).toBe(500);
    expect(await get()).toEqual([alert]);
    expect(outbox.wakes).toBe(0);

    outbox.failing = false;
    await post(url, body);
    expect(await get()).toMatchObject([{ is_resolved: true, resolve_note: 'x' }]);
    expect(outbox.messages).toHaveLength(1);
  });
});
