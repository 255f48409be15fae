import { describe, expect, it } from 'vitest';
import type { Alert, BulkChanged } from '../../server/alerts/schema.ts';
import { acknowledged, ALERTS, alertsApp, anAlert, resolved, uuid } from '../helpers/alerts.ts';

const seen = { ...acknowledged, acknowledge_note: 'Looking' };

describe('reopening with keep_acknowledged', () => {
  it('takes a bulk resolve back as if it had never been', async () => {
    const { given, get, post, outbox } = await alertsApp();
    await given({}, seen, { ...seen, ...resolved });
    const before = await get<Alert[]>();
    const { ids } = await post<BulkChanged>('/resolve', { filter: {} });
    const messages = outbox.messages.length;
    const undo = { filter: { ids }, keep_acknowledged: true };
    expect(await post('/reopen', undo)).toEqual({ changed: 2, ids });
    expect(await get('')).toEqual(before);
    expect(outbox.messages).toHaveLength(messages);
  });

  it('takes back ten thousand at once', async () => {
    const { insert, post } = await alertsApp();
    await insert(Array.from({ length: 10_000 }, () => anAlert({ ...seen })));
    const { ids } = await post<BulkChanged>('/resolve', { filter: {} });
    const undo = { filter: { ids }, keep_acknowledged: true };
    expect(await post('/reopen', undo)).toMatchObject({ changed: 10_000 });
  });

  it('leaves an alert acknowledged that was so, with its note', async () => {
    const { given, post } = await alertsApp();
    const [alert] = await given({ ...seen, ...resolved, resolve_note: 'Fixed' });
    expect(await post(`/${alert?.id}/reopen`, { keep_acknowledged: true })).toEqual({
      ...alert,
      ...{ is_resolved: false, resolved_at: null },
    });
  });

  it('changes nothing on what is not resolved', async () => {
    const { given, post } = await alertsApp();
    const [alert] = await given(seen);
    expect(await post(`/${alert?.id}/reopen`, { keep_acknowledged: true })).toEqual(alert);
    const all = { filter: {}, keep_acknowledged: true };
    expect(await post('/reopen', all)).toEqual({ changed: 0, ids: [] });
  });

  it('clears both flags when it is false or left out', async () => {
    const { given, post } = await alertsApp();
    const [one, other] = await given({ ...seen, ...resolved }, { ...seen, ...resolved });
    const open = { is_resolved: false, is_acknowledged: false, acknowledge_note: 'Looking' };
    const answer = await post(`/${one?.id}/reopen`, { keep_acknowledged: false });
    expect(answer).toMatchObject(open);
    expect(await post(`/${other?.id}/reopen`)).toMatchObject(open);
  });

  it('is known to reopening alone, and must be true or false', async () => {
    const { byKey } = await alertsApp();
    const refused = [
      ['/reopen', { filter: {}, keep_acknowledged: 'yes' }],
      ['/resolve', { filter: {}, keep_acknowledged: true }],
      [`/${uuid(1)}/reopen`, { keep_acknowledged: null }],
    ] as const;
    for (const [path, body] of refused) {
      expect((await byKey('POST', `${ALERTS}${path}`, body)).statusCode, path).toBe(422);
    }
  });
});
