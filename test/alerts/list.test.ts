import { describe, expect, it } from 'vitest';
import type { Alert } from '../../server/alerts/schema.ts';
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

describe('GET /api/v1/alerts', () => {
  it('lists the newest first, ties by id', async () => {
    const { insert, get } = await alertsApp();
    const [first, second, third] = [anAlert(), anAlert(), anAlert({ created_at: at(START - 1) })];
    await insert([third, second, first]);
    expect(await get<Alert[]>()).toEqual([second, first, third]);
  });

  it('gives 100 by default, 1,000 at most, and skips as asked', async () => {
    const { insert, get } = await alertsApp();
    const all = Array.from({ length: 1200 }, () => anAlert());
    await insert(all);
    const ids = async (query: string) => (await get<Alert[]>(query)).map(({ id }) => id);
    const newest = all.map(({ id }) => id).reverse();
    expect(await ids('')).toEqual(newest.slice(0, 100));
    expect(await ids('?limit=1000')).toEqual(newest.slice(0, 1000));
    expect(await ids('?skip=1150')).toEqual(newest.slice(1150));
    expect(await ids('?skip=1&limit=2')).toEqual(newest.slice(1, 3));
    expect(await ids('?skip=5000')).toEqual([]);
  });

  it.each([
    ['rule_id=7', 'rule_id', 'must be a UUID'],
    ['severity=high', 'severity', 'must be one of critical, warning, info'],
    ['resolved=yes', 'resolved', 'must be one of true, false'],
    ['status=closed', 'status', 'must be one of open, acknowledged, resolved, all'],
    ['rule_type=x', 'rule_type', 'must be one of threshold, missing_field, volume'],
    ['since=yesterday', 'since', 'must be an ISO 8601 time such as 2026-01-31T12:00:00Z'],
    ['limit=1001', 'limit', 'must be at most 1000'],
    ['limit=0', 'limit', 'must be at least 1'],
    ['skip=-1', 'skip', 'must be at least 0'],
    ['skip=x', 'skip', 'must be a whole number'],
    ['colour=red', 'colour', 'is not known here'],
    ['tag=a&tag=b', 'tag', 'must be a string'],
  ])('refuses %s', async (query, path, message) => {
    const { byKey } = await alertsApp();
    const answer = await byKey('GET', `${ALERTS}?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errors: [{ path, message }] });
  });

  it('keeps tenants apart', async () => {
    const { insert, get } = await alertsApp();
    await insert([anAlert()], OTHER_TENANT);
    expect(await get()).toEqual([]);
    expect(await get('/grouped')).toEqual([]);
    const points = await get<{ count: number }[]>('/activity');
    expect(points.every(({ count }) => count === 0)).toBe(true);
  });

  it.each(['\ufefffront', 'it\'s "quoted" \\ and\nbroken\ttwice', '🛒 Käufe 購入', 'nul\0nul', ''])(
    'keeps the text %j as it is',
    async (text) => {
      const { given, get } = await alertsApp();
      const tags = [`t${text}`];
      const [alert] = await given({
        ...{ message: text, rule_name: text, event_type: text, source: text, tags },
        ...{ category: `c${text}`, acknowledge_note: text, resolve_note: text },
      });
      expect(await get(`/${alert?.id}`)).toEqual(alert);
      expect(await get(`?source=${encodeURIComponent(text)}`)).toEqual([alert]);
      expect(await get(`?tag=${encodeURIComponent(tags[0] ?? '')}`)).toEqual([alert]);
    },
  );

  it('takes a name that was cut in the middle of a character', async () => {
    const { given, get } = await alertsApp();
    await given({ rule_name: 'cut \ud83d', tags: ['cut \ud83d'] });
    expect(await get()).toMatchObject([{ rule_name: 'cut \ufffd', tags: ['cut \ufffd'] }]);
  });

  it.each([0, -2.5, 1e21, 1 / 3, Number.MAX_SAFE_INTEGER, null])(
    'keeps the value %j exact',
    async (value) => {
      const { given, get } = await alertsApp();
      await given({ value });
      expect((await get<Alert[]>())[0]?.value).toBe(value);
    },
  );
});

describe('GET /api/v1/alerts/{alert_id}', () => {
  it('shows the whole of an alert', async () => {
    const { given, get } = await alertsApp();
    const [alert] = await given({ ...acknowledged, ...resolved, acknowledge_note: 'a' }, {});
    expect(await get(`/${alert?.id}`)).toEqual(alert);
  });

  it('knows no alert of another tenant', async () => {
    const { insert, byKey } = await alertsApp();
    const theirs = anAlert();
    await insert([theirs], OTHER_TENANT);
    for (const id of [theirs.id, uuid(999_999)]) {
      const answer = await byKey('GET', `${ALERTS}/${id}`);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toEqual({ detail: 'Alert does not exist' });
    }
  });

  it('wants a UUID', async () => {
    const { byKey } = await alertsApp();
    expect((await byKey('GET', `${ALERTS}/7`)).statusCode).toBe(400);
  });
});
