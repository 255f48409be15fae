import { describe, expect, it } from 'vitest';
import type { RuleView } from '../../server/rules/schema.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { CONFIGS, draft, rulesInTime, startRules } from './http-parts.ts';

const given = { name: 'Before', tags: ['a'], category: 'c' };

/** A rule that was made, and what becomes of it a minute later. */
async function ruleToChange() {
  const rules = await rulesInTime();
  const made = await rules.make(draft('threshold', { source: 'shop', consecutive: 3 }, given));
  rules.clock.time += 60_000;
  const updated_at = new Date(rules.clock.time).toISOString();
  const read = async () => (await rules.ask('GET', `/${made.id}`)).json<RuleView>();
  const patch = (body: unknown) => rules.ask('PATCH', `/${made.id}`, body);
  return {
    ...{ rules, made, updated_at, patch, read },
    refusals: (body: unknown) => rules.refusals(body, 'PATCH', `/${made.id}`),
    [Symbol.asyncDispose]: () => rules[Symbol.asyncDispose](),
  };
}

describe('PATCH of a rule', () => {
  it('changes what is supplied and nothing else', async () => {
    const bodies = [
      ...[{ name: 'After' }, { is_active: false }, { tags: [] }],
      ...[{ tags: ['b', 'c'] }, { category: 'd' }, { category: null }],
      { name: 'After', is_active: false, tags: ['b'] },
    ];
    await using rules = await rulesInTime();
    for (const body of bodies) {
      const made = await rules.make(draft('threshold', { source: 'shop', consecutive: 3 }, given));
      rules.clock.time += 60_000;
      const updated_at = new Date(rules.clock.time).toISOString();
      const answer = await rules.ask('PATCH', `/${made.id}`, body);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({ ...made, ...body, updated_at });
      expect((await rules.ask('GET', `/${made.id}`)).json()).toEqual(answer.json());
    }
  });

  it('replaces a config whole, with the defaults of what is left out', async () => {
    await using rule = await ruleToChange();
    const config = { ...CONFIGS.threshold, value: 7 };
    const answer = await rule.patch({ config });
    expect(answer.statusCode).toBe(200);
    expect(answer.json<RuleView>().config).toEqual({ ...config, field: 'count', consecutive: 1 });
    expect(answer.json<RuleView>().name).toBe('Before');
  });

  it('refuses a part of a config', async () => {
    await using rule = await ruleToChange();
    expect(await rule.refusals({ config: { value: 7 } })).toEqual([
      'config.event_type: is required',
      'config.operator: is required',
      'config.window_minutes: is required',
      'config.severity: is required',
    ]);
    expect(await rule.read()).toEqual(rule.made);
  });

  it('refuses another type alone, since the config is not of it', async () => {
    await using rule = await ruleToChange();
    const said = await rule.refusals({ rule_type: 'missing_field' });
    expect(said).toContain('config.required_fields: is required');
    expect(said).toContain('config.window_minutes: is not known here');
    expect(await rule.read()).toEqual(rule.made);
  });

  it('that changes nothing leaves it as it is, with its times', async () => {
    await using rule = await ruleToChange();
    const { config, is_active } = rule.made;
    for (const body of [{}, { rule_type: 'threshold' }, { config, is_active }]) {
      const answer = await rule.patch(body);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual(rule.made);
    }
  });

  it('takes back what was read, and changes nothing of what the appliance sets', async () => {
    await using rule = await ruleToChange();
    const { id, created_at } = rule.made;
    const sent = { ...rule.made, name: 'After', created_at: '2020-01-01T00:00:00.000Z' };
    const answer = await rule.patch(sent);
    expect(answer.json()).toMatchObject({ id, created_at, name: 'After' });
  });

  it('refuses a config of another type alone, and takes both together', async () => {
    await using rule = await ruleToChange();
    expect(await rule.refusals({ config: CONFIGS.volume })).toContain(
      'config.operator: is required',
    );
    const answer = await rule.patch({ rule_type: 'volume', config: CONFIGS.volume });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      ...{ id: rule.made.id, rule_type: 'volume', created_at: rule.made.created_at },
      config: { ...CONFIGS.volume, min_baseline_events: 10, baseline: 'average', consecutive: 1 },
    });
  });

  it('refuses what is wrong, and keeps everything as it was', async () => {
    await using rule = await ruleToChange();
    const bodies: [object, string][] = [
      [{ name: '' }, 'name: must have at least 1 character'],
      [{ name: null }, 'name: must be a string'],
      [{ rule_type: 'x' }, 'rule_type: must be one of threshold, missing_field, volume'],
      [{ is_active: 'false' }, 'is_active: must be true or false'],
      [{ tags: null }, 'tags: must be a list'],
      [{ tags: [''] }, 'tags[0]: must have at least 1 character'],
      [{ category: '' }, 'category: must have at least 1 character'],
      [{ config: null }, 'config: must be an object'],
      [{ colour: 'red' }, 'colour: is not known here'],
      [
        { name: 'After', config: { ...CONFIGS.threshold, window_minutes: 0 } },
        'config.window_minutes: must be more than 0',
      ],
    ];
    for (const [body, words] of bodies) expect(await rule.refusals(body)).toEqual([words]);
    for (const body of [[], 'text', null]) {
      expect((await rule.patch(body)).statusCode).toBe(422);
    }
    expect(await rule.read()).toEqual(rule.made);
  });

  it('of one rule leaves the others as they are, and in their places', async () => {
    await using rules = await rulesInTime();
    const made: RuleView[] = [];
    for (const name of ['a', 'b', 'c']) made.push(await rules.make(draft('volume', {}, { name })));
    await rules.ask('PATCH', `/${made[1]?.id}`, { name: 'B' });
    expect(await rules.names()).toEqual(['c', 'B', 'a']);
  });
});

describe('rules', () => {
  it('are there after a restart as they were', async () => {
    const dataDir = tempDir();
    const clock = { time: Date.parse('2026-03-01T10:00:00Z'), now: () => clock.time };
    const before = await startRules({ dataDir, clock });
    await before.make(draft('threshold', { field: 'sum:it.s "x"', value: -0.5 }, given));
    await before.make(draft('missing_field', { required_fields: ['a', 'ü.😀'] }));
    const changed = await before.make(draft('volume', { baseline: 'seasonal' }));
    const gone = await before.make(draft('volume'));
    await before.ask('PATCH', `/${changed.id}`, { is_active: false });
    await before.ask('DELETE', `/${gone.id}`);
    const { body } = await before.ask('GET', '/');
    await before.close();

    clock.time += 1000;
    await using after = await startRules({ dataDir, clock });
    const answer = await after.ask('GET', '/');
    expect(answer.json()).toHaveLength(3);
    expect(answer.body).toBe(body);
    expect(await after.names('?active_only=true')).toHaveLength(2);
    expect((await after.make(draft('volume'))).created_at).toBe(new Date(clock.time).toISOString());
  });
});
