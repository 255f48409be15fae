import { describe, expect, it } from 'vitest';
import type { RuleView } from '../../server/rules/schema.ts';
import { freshTenant } from '../helpers/tenant.ts';
import { CONFIGS, draft, rulesInTime, rulesOfTenant, UNKNOWN } from './http-parts.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('POST /api/v1/rules/', () => {
  it('makes a rule and answers with all of it, defaults included', async () => {
    await using rules = await rulesInTime();
    const answer = await rules.ask('POST', '/', draft('threshold'));
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      id: expect.stringMatching(UUID) as unknown,
      name: 'A rule',
      rule_type: 'threshold',
      config: { ...CONFIGS.threshold, field: 'count', consecutive: 1 },
      is_active: true,
      tags: [],
      category: null,
      created_at: new Date(rules.start).toISOString(),
      updated_at: new Date(rules.start).toISOString(),
      last_evaluated_at: null,
      last_verdict: null,
    });
  });

  it.each([
    ['missing_field', { consecutive: 1 }],
    [
      'volume',
      { min_baseline_events: 10, baseline: 'average', beyond_chance: false, consecutive: 1 },
    ],
  ] as const)('shows the defaults of the type %s', async (type, defaults) => {
    const rules = await rulesOfTenant();
    expect((await rules.make(draft(type))).config).toEqual({ ...CONFIGS[type], ...defaults });
  });

  it('keeps what is given, without blanks around it', async () => {
    const rules = await rulesOfTenant();
    const given = { name: ' Näme ', tags: [' a ', 'b'], category: ' c ', is_active: false };
    const { name, tags, category, is_active } = await rules.make(draft('volume', {}, given));
    expect({ name, tags, category, is_active }).toEqual({
      ...{ name: 'Näme', tags: ['a', 'b'], category: 'c', is_active: false },
    });
  });

  it('answers without the slash as with it, for every verb', async () => {
    const rules = await rulesOfTenant();
    const made = (await rules.ask('POST', '', draft('threshold'))).json<RuleView>();
    for (const path of ['', '/', `/${made.id}`, `/${made.id}/`]) {
      const answer = await rules.ask('GET', path);
      expect([answer.statusCode, answer.body]).toEqual([
        200,
        JSON.stringify(path.length > 1 ? made : [made]),
      ]);
    }
    expect((await rules.ask('PATCH', `/${made.id}/`, { name: 'x' })).statusCode).toBe(200);
    expect((await rules.ask('DELETE', `/${made.id}/`)).statusCode).toBe(204);
  });
});

describe('GET /api/v1/rules/', () => {
  const named = (name: string, more: object = {}) => draft('threshold', {}, { name, ...more });

  it('lists rules newest first', async () => {
    const rules = await rulesOfTenant();
    expect((await rules.ask('GET', '/')).json()).toEqual([]);
    for (const name of ['a', 'b', 'c']) await rules.make(named(name));
    expect(await rules.names()).toEqual(['c', 'b', 'a']);
  });

  it('lists those that are active, have a tag, are of a category', async () => {
    const rules = await rulesOfTenant();
    await rules.make(named('a', { tags: ['x', 'y'], category: 'shop' }));
    await rules.make(named('b', { tags: ['y'], category: 'blog', is_active: false }));
    await rules.make(named('c', { tags: ['Y'] }));
    await rules.make(named('d', { tags: ['é & ü'], category: 'shop', is_active: false }));
    const lists = {
      '': ['d', 'c', 'b', 'a'],
      '?active_only=false': ['d', 'c', 'b', 'a'],
      '?active_only=true': ['c', 'a'],
      '?tag=y': ['b', 'a'],
      '?tag=Y': ['c'],
      '?tag=%C3%A9%20%26%20%C3%BC': ['d'],
      '?tag=none': [],
      '?category=shop': ['d', 'a'],
      '?category=Shop': [],
      '?active_only=true&tag=y&category=shop': ['a'],
    };
    for (const [query, names] of Object.entries(lists)) {
      expect(await rules.names(query), query).toEqual(names);
    }
  });

  it('pages', async () => {
    const rules = await rulesOfTenant();
    const names = Array.from({ length: 103 }, (_, i) => `rule ${i}`);
    for (const name of names) await rules.make(named(name));
    names.reverse();
    const pages = {
      '': names.slice(0, 100),
      '?skip=100': names.slice(100),
      '?limit=2': names.slice(0, 2),
      '?skip=2&limit=3': names.slice(2, 5),
      '?limit=1000': names,
      '?skip=103': [],
    };
    for (const [query, page] of Object.entries(pages)) {
      expect(await rules.names(query), query).toEqual(page);
    }
  });

  it('refuses what it cannot read', async () => {
    const rules = await rulesOfTenant();
    const queries = ['limit=0', 'limit=1001', 'limit=x', 'skip=-1', 'skip=1.5', 'active_only=1'];
    for (const query of [...queries, 'active_only=', 'colour=red', 'tag=a&tag=b']) {
      const answer = await rules.ask('GET', `/?${query}`);
      expect(answer.statusCode, query).toBe(400);
      expect(answer.json<{ detail: string }>().detail).toContain(query.split('=')[0]);
    }
  });
});

describe('a rule by its id', () => {
  it('is not there when it was never made, and a bad request when it is no id', async () => {
    const rules = await rulesOfTenant();
    for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
      const unknown = await rules.ask(method, `/${UNKNOWN}`, body);
      expect(unknown.statusCode).toBe(404);
      expect(unknown.json<{ detail: string }>().detail).toContain('Rule');
      expect((await rules.ask(method, '/no-uuid', body)).statusCode).toBe(400);
    }
  });

  it('is deleted without a body, once', async () => {
    const rules = await rulesOfTenant();
    const [gone, stays] = [await rules.make(draft('volume')), await rules.make(draft('volume'))];
    const answer = await rules.ask('DELETE', `/${gone.id}`);
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect((await rules.ask('GET', `/${gone.id}`)).statusCode).toBe(404);
    expect((await rules.ask('DELETE', `/${gone.id}`)).statusCode).toBe(404);
    expect((await rules.ask('GET', '/')).json()).toEqual([stays]);
  });
});

describe('who may ask about rules', () => {
  it('is anybody with a full key, readers to read, and senders not at all', async () => {
    const rules = await rulesOfTenant();
    const made = await rules.make(draft('threshold'));
    const key = async (scope: string) =>
      (await rules.call('POST', '/keys', { name: scope, scope })).json<{ secret: string }>().secret;
    const [read, ingest] = [await key('read'), await key('ingest')];
    const requests = [
      ['GET', '/', undefined],
      ['GET', `/${made.id}`, undefined],
      ['POST', '/preview', { rule_type: 'threshold', config: CONFIGS.threshold }],
      ['POST', '/', draft('volume')],
      ['PATCH', `/${made.id}`, { name: 'x' }],
      ['DELETE', `/${made.id}`, undefined],
    ] as const;
    const statuses = (secret: string) =>
      Promise.all(
        requests.map(
          async ([method, path, body]) => (await rules.ask(method, path, body, secret)).statusCode,
        ),
      );
    expect(await statuses(read)).toEqual([200, 200, 200, 403, 403, 403]);
    expect(await statuses(ingest)).toEqual([403, 403, 403, 403, 403, 403]);
    expect(await statuses('no such key')).toEqual([401, 401, 401, 401, 401, 401]);
    expect((await rules.ask('GET', '/')).json()).toEqual([made]);
  });

  it('is a person who is signed in, from pages of this appliance', async () => {
    const rules = await rulesOfTenant();
    const { cookie, headers } = rules.owner;
    const ask = (method: 'GET' | 'POST', origin?: string) =>
      rules.app.inject({
        ...{ method, url: '/api/v1/rules/' },
        headers: { host: headers.host, cookie, ...(origin && { origin }) },
        ...(method === 'POST' && { payload: draft('volume') }),
      });
    expect((await ask('POST', headers.origin)).statusCode).toBe(201);
    expect((await ask('GET')).json()).toHaveLength(1);
    expect((await ask('POST', 'https://shop.example')).statusCode).toBe(403);
    expect((await ask('GET')).json()).toHaveLength(1);
  });

  it('does not see what is of another tenant', async () => {
    const rules = await rulesOfTenant();
    const other = (await freshTenant()).key;
    const mine = await rules.make(draft('threshold', {}, { tags: ['t'] }));
    const theirs = await rules.make(draft('threshold', {}, { tags: ['t'] }), other);
    expect((await rules.ask('GET', '/?tag=t')).json()).toEqual([mine]);
    expect((await rules.ask('GET', '/', undefined, other)).json()).toEqual([theirs]);
    for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const) {
      expect((await rules.ask(method, `/${theirs.id}`, body)).statusCode).toBe(404);
    }
    expect((await rules.ask('GET', `/${theirs.id}`, undefined, other)).json()).toEqual(theirs);
  });
});
