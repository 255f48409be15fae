import { describe, expect, it } from 'vitest';
import type { Alert, BulkChanged } from '../../server/alerts/schema.ts';
import {
  acknowledged,
  ALERTS,
  alertsApp,
  anAlert,
  at,
  OTHER_TENANT,
  resolved,
  uuid,
} from '../helpers/alerts.ts';
import { START } from '../helpers/identity-parts.ts';

const LATER = START + 5000;

describe('changing alerts by filter', () => {
  it.each([
    ['acknowledge', acknowledged, 'acknowledged_at', 'acknowledge_note'],
    ['resolve', resolved, 'resolved_at', 'resolve_note'],
  ] as const)('%s: changes those it can and leaves the rest, notes too', async (...row) => {
    const [verb, done, time, note] = row;
    const { clock, given, byKey, get } = await alertsApp();
    const [first, before, second] = await given({}, { ...done, [note]: 'theirs' }, {});
    clock.time = LATER;
    const answer = await byKey('POST', `${ALERTS}/${verb}`, { filter: {}, note: ' mine ' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ changed: 2, ids: [second?.id, first?.id] });
    const now = { ...done, [time]: at(LATER), [note]: 'mine' };
    expect(await get()).toEqual([{ ...second, ...now }, before, { ...first, ...now }]);
  });

  it('reopens those that are acknowledged or resolved', async () => {
    const { given, get, post } = await alertsApp();
    const [, seen, over] = await given({}, acknowledged, { ...resolved, resolve_note: 'r' });
    expect(await post('/reopen', { filter: {} })).toEqual({
      changed: 2,
      ids: [over?.id, seen?.id],
    });
    const alerts = await get<Alert[]>('?status=open');
    expect(alerts.map(({ resolve_note: note }) => note)).toEqual(['r', null, null]);
  });

  it('can be undone with the ids that it answers', async () => {
    const { given, get, post } = await alertsApp();
    await given({}, resolved, {});
    const before = await get();
    const { ids } = await post<BulkChanged>('/resolve', { filter: {} });
    expect(await post('/reopen', { filter: { ids } })).toEqual({ changed: 2, ids });
    expect(await get()).toEqual(before);
  });

  it.each<[object, number[]]>([
    [{ ids: [uuid(101), uuid(103)] }, [103, 101]],
    [{ ids: [] }, []],
    [{ ids: [uuid(101), uuid(101), uuid(999)], severity: 'critical' }, [101]],
  ])('changes what %j lets through', async (filter, ids) => {
    const { given, get, post } = await alertsApp();
    await given(
      { id: uuid(101), severity: 'critical', created_at: at(START - 1) },
      { id: uuid(102), ...acknowledged },
      { id: uuid(103), created_at: at(START - 1) },
    );
    const expected = ids.map(uuid);
    const answer = await post('/resolve', { filter });
    expect(answer).toEqual({ changed: ids.length, ids: expected });
    const now = await get<Alert[]>('?resolved=true');
    expect(now.map(({ id }) => id)).toEqual(expected);
  });

  it('changes all, and names ten thousand at most', async () => {
    const { insert, get, post } = await alertsApp();
    const all = Array.from({ length: 10_001 }, () => anAlert());
    await insert(all, undefined, false);
    const { changed, ids } = await post<BulkChanged>('/acknowledge', { filter: {} });
    expect(changed).toBe(10_001);
    expect(ids).toEqual(
      all
        .slice(1)
        .reverse()
        .map(({ id }) => id),
    );
    expect(await get('?status=open')).toEqual([]);
  });

  it('does not touch another tenant', async () => {
    const { insert, post, store } = await alertsApp();
    const theirs = anAlert();
    await insert([theirs], OTHER_TENANT);
    for (const filter of [{}, { ids: [theirs.id] }]) {
      expect(await post('/resolve', { filter })).toEqual({ changed: 0, ids: [] });
    }
    expect(await store.one(OTHER_TENANT, theirs.id)).toEqual(theirs);
  });

  const LONG = Array.from({ length: 10_001 }, (_, i) => uuid(i));
  it.each([
    [undefined, '', 'must be an object'],
    [{}, 'filter', 'is required'],
    [{ note: 'x' }, 'filter', 'is required'],
    [{ filter: null }, 'filter', 'must be an object'],
    [{ filter: { ids: ['7'] } }, 'filter.ids[0]', 'must be a UUID'],
    [{ filter: { ids: LONG } }, 'filter.ids', 'must have at most 10000 entries'],
    [{ filter: { colour: 'red' } }, 'filter.colour', 'is not known here'],
    [{ filter: { resolved: true } }, 'filter.resolved', 'is not known here'],
    [{ filter: { severity: 'x' } }, 'filter.severity', 'must be one of critical, warning, info'],
    [{ filter: {}, status: 'open' }, 'status', 'is not known here'],
  ])('refuses %j', async (body, path, message) => {
    const { given, byKey, get } = await alertsApp();
    const [alert] = await given(acknowledged);
    for (const verb of ['acknowledge', 'resolve', 'reopen']) {
      if (verb === 'reopen' && body !== undefined && 'note' in body) continue;
      const answer = await byKey('POST', `${ALERTS}/${verb}`, body);
      expect(answer.statusCode).toBe(422);
      expect(answer.json<{ errors: unknown[] }>().errors).toContainEqual({ path, message });
    }
    expect(await get()).toEqual([alert]);
  });

  it('needs a key that may change things', async () => {
    const { given, readKey, byKey, get } = await alertsApp();
    const [alert] = await given({});
    const secret = await readKey();
    for (const verb of ['acknowledge', 'resolve', 'reopen']) {
      const answer = await byKey('POST', `${ALERTS}/${verb}`, { filter: {} }, secret);
      expect(answer.statusCode).toBe(403);
    }
    expect(await get()).toEqual([alert]);
  });
});
