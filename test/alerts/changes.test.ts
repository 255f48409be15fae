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
import { freshTenant } from '../helpers/tenant.ts';

const LATER = START + 5000;

describe.each([
  ['acknowledge', 'is_acknowledged', 'acknowledged_at', 'acknowledge_note'],
  ['resolve', 'is_resolved', 'resolved_at', 'resolve_note'],
] as const)('POST /api/v1/alerts/{alert_id}/%s', (verb, flag, time, note) => {
  it.each([undefined, {}, { note: '' }, { note: '  ' }])(
    'sets flag and time, and nothing else, when sent %j',
    async (body) => {
      const { clock, given, byKey, get } = await alertsApp();
      const [alert, other] = await given({}, {});
      clock.time = LATER;
      const answer = await byKey('POST', `${ALERTS}/${alert?.id}/${verb}`, body);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({ ...alert, [flag]: true, [time]: at(LATER) });
      expect(await get(`/${alert?.id}`)).toEqual(answer.json());
      expect(await get(`/${other?.id}`)).toEqual(other);
    },
  );

  it.each(['it\'s "quoted"', 'two\nlines \ufeff in 🛒', 'x'.repeat(10_000)])(
    'keeps the note %j',
    async (text) => {
      const { given, get, post } = await alertsApp();
      const [alert] = await given({});
      expect(await post(`/${alert?.id}/${verb}`, { note: ` ${text} ` })).toMatchObject({
        [note]: text,
      });
      expect(await get(`/${alert?.id}`)).toMatchObject({ [note]: text });
    },
  );

  it('keeps the first time and note when done again', async () => {
    const { clock, given, post } = await alertsApp();
    const [alert] = await given({});
    const first = await post(`/${alert?.id}/${verb}`, { note: 'first' });
    clock.time = LATER;
    expect(await post(`/${alert?.id}/${verb}`)).toEqual(first);
    expect(await post(`/${alert?.id}/${verb}`, {})).toEqual(first);
  });

  it('replaces the note when done again with another', async () => {
    const { clock, given, post } = await alertsApp();
    const [alert, other] = await given({}, {});
    const first = await post<Alert>(`/${alert?.id}/${verb}`, { note: 'first' });
    await post(`/${other?.id}/${verb}`, { note: 'mine' });
    clock.time = LATER;
    const second = await post(`/${alert?.id}/${verb}`, { note: 'second' });
    expect(second).toEqual({ ...first, [note]: 'second' });
    expect(await post(`/${other?.id}/${verb}`)).toMatchObject({ [note]: 'mine' });
  });

  it.each([
    [{ note: 7 }, 'note', 'must be a string'],
    [{ note: null }, 'note', 'must be a string'],
    [{ note: 'x'.repeat(10_001) }, 'note', 'must have at most 10000 characters'],
    [{ remark: 'x' }, 'remark', 'is not known here'],
    [[], '', 'must be an object'],
  ])('refuses %j', async (body, path, message) => {
    const { given, byKey, get } = await alertsApp();
    const [alert] = await given({});
    const answer = await byKey('POST', `${ALERTS}/${alert?.id}/${verb}`, body);
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ errors: [{ path, message }] });
    expect(await get()).toEqual([alert]);
  });
});

describe('resolving', () => {
  it('does not acknowledge, and acknowledging later does not undo it', async () => {
    const { given, post } = await alertsApp();
    const [alert] = await given({});
    const first = await post<Alert>(`/${alert?.id}/resolve`);
    expect(first).toMatchObject({ is_resolved: true, is_acknowledged: false });
    expect(await post(`/${alert?.id}/acknowledge`)).toEqual({ ...first, ...acknowledged });
  });
});

describe('POST /api/v1/alerts/{alert_id}/reopen', () => {
  it.each([undefined, {}])('clears flags and times and keeps the notes: %j', async (body) => {
    const { given, get, post } = await alertsApp();
    const notes = { acknowledge_note: 'a', resolve_note: 'r' };
    const [alert] = await given({ ...acknowledged, ...resolved, ...notes });
    const open = { is_acknowledged: false, is_resolved: false };
    const reopened = { ...alert, ...open, acknowledged_at: null, resolved_at: null };
    expect(await post(`/${alert?.id}/reopen`, body)).toEqual(reopened);
    expect(await post(`/${alert?.id}/reopen`, body)).toEqual(reopened);
    expect(await get(`/${alert?.id}`)).toEqual(reopened);
  });

  it('lets it be resolved anew, at a new time', async () => {
    const { clock, given, post } = await alertsApp();
    const [alert] = await given({ ...resolved, resolve_note: 'r' });
    await post(`/${alert?.id}/reopen`);
    clock.time = LATER;
    expect(await post(`/${alert?.id}/resolve`)).toMatchObject({
      resolved_at: at(LATER),
      resolve_note: 'r',
    });
  });

  it('takes no note', async () => {
    const { given, byKey } = await alertsApp();
    const [alert] = await given({});
    const answer = await byKey('POST', `${ALERTS}/${alert?.id}/reopen`, { note: 'x' });
    expect(answer.statusCode).toBe(422);
  });
});

describe('DELETE /api/v1/alerts/{alert_id}', () => {
  it('removes it for good, and it alone', async () => {
    const { given, byKey, get } = await alertsApp();
    const [alert, other] = await given({}, {});
    const answer = await byKey('DELETE', `${ALERTS}/${alert?.id}`);
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect((await byKey('DELETE', `${ALERTS}/${alert?.id}`)).statusCode).toBe(404);
    expect(await get()).toEqual([other]);
  });
});

describe('changing an alert', () => {
  const changes = [
    ['POST', '/acknowledge'],
    ['POST', '/resolve'],
    ['POST', '/reopen'],
    ['DELETE', ''],
  ] as const;

  it.each(changes)('of another tenant is not possible: %s %s', async (method, path) => {
    const { insert, byKey, store, outbox } = await alertsApp();
    const theirs = anAlert(path === '/reopen' ? resolved : {});
    await insert([theirs], OTHER_TENANT);
    for (const id of [theirs.id, uuid(999_999)]) {
      const body = path === '' || path === '/reopen' ? undefined : { note: 'mine' };
      const answer = await byKey(method, `${ALERTS}/${id}${path}`, body);
      expect(answer.statusCode).toBe(404);
    }
    expect((await byKey(method, `${ALERTS}/7${path}`)).statusCode).toBe(400);
    expect(await store.one(OTHER_TENANT, theirs.id)).toEqual(theirs);
    expect(outbox.messages).toEqual([]);
  });

  it.each(changes)('needs a key that may change things: %s %s', async (method, path) => {
    const { given, readKey, byKey, get } = await alertsApp();
    const [alert] = await given({});
    const secret = await readKey();
    const refused = await byKey(method, `${ALERTS}/${alert?.id}${path}`, undefined, secret);
    expect(refused.statusCode).toBe(403);
    expect((await byKey('GET', ALERTS, undefined, secret)).json()).toEqual([alert]);
    expect(await get()).toEqual([alert]);
  });

  it('is possible in a session', async () => {
    const { post, call, owner } = await freshTenant();
    const config = { event_type: 'error', operator: '>', value: 0, window_minutes: 60 };
    const rule = { rule_type: 'threshold', config: { ...config, severity: 'info' } };
    await call('POST', '/rules', { name: 'A rule', ...rule });
    await post([{ source: 'shop', event_type: 'error', data: {} }]);
    await call('POST', '/evaluations');
    const [alert] = (await owner.ask('GET', '/alerts')).json<Alert[]>();
    const answer = await owner.ask('POST', `/alerts/${alert?.id}/resolve`, { note: 'by hand' });
    expect(answer.json()).toMatchObject({ is_resolved: true, resolve_note: 'by hand' });
  });

  it('counts once when two do it at the same time', async () => {
    const { given, post, outbox } = await alertsApp();
    const [alert] = await given({});
    await Promise.all([post(`/${alert?.id}/resolve`), post(`/${alert?.id}/resolve`)]);
    expect(outbox.messages).toHaveLength(1);
  });
});
