import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newRule } from '../../server/rules/schema.ts';
import { createRuleStore } from '../../server/rules/store.ts';
import { identityParts, START } from '../helpers/identity-parts.ts';
import { CONFIGS, draft } from './http-parts.ts';

const TENANT = '3d2c1b0a-0000-4000-8000-000000000000';
const input = newRule.parse(draft('threshold'));

async function openRules() {
  const { file } = await identityParts();
  const rules = createRuleStore({ file });
  const made = await rules.create(TENANT, input, START);
  return { file, rules, made };
}

describe('a rule that was read', () => {
  it('still holds while nothing about it is judged otherwise', async () => {
    const { rules, made } = await openRules();
    const later = START + 1;
    await rules.change(TENANT, made.id, { name: 'x', tags: ['t'], category: 'c' }, later);
    await rules.change(TENANT, made.id, { is_active: true }, later);
    expect(rules.present()(made)).toBe(true);
  });

  it.each([
    ['paused', { is_active: false }],
    ['given another config', { config: { ...CONFIGS.threshold, value: 2 } }],
  ])('no longer holds when it was %s', async (_, patch) => {
    const { rules, made } = await openRules();
    await rules.change(TENANT, made.id, patch, START + 1);
    expect(rules.present()(made)).toBe(false);
  });

  it('no longer holds when it was paused and started again, or deleted', async () => {
    const { rules, made } = await openRules();
    await rules.change(TENANT, made.id, { is_active: false }, START + 1);
    const again = await rules.change(TENANT, made.id, { is_active: true }, START + 2);
    expect([rules.present()(made), rules.present()(again)]).toEqual([false, true]);
    await rules.remove(TENANT, made.id);
    expect(rules.present()(again)).toBe(false);
  });
});

describe('the rules that are evaluated', () => {
  it('are the active ones of all tenants', async () => {
    const { rules, made } = await openRules();
    const other = await rules.create(randomUUID(), input, START);
    const paused = await rules.create(TENANT, { ...input, is_active: false }, START);
    expect(rules.active()).toEqual([made, other]);
    expect(rules.all()).toEqual([made, other, paused]);
  });
});

describe('rules', () => {
  it('are 5,000 of a tenant at most', async () => {
    const { file, rules, made } = await openRules();
    await file.update((draft) => {
      const copies = Array.from({ length: 4998 }, () => ({ ...made, id: randomUUID() }));
      draft.rules.push(...structuredClone(copies as typeof draft.rules));
    });
    const last = await rules.create(TENANT, input, START);
    await expect(rules.create(TENANT, input, START)).rejects.toMatchObject({ status: 409 });
    await rules.create(randomUUID(), input, START);
    await rules.remove(TENANT, last.id);
    await rules.create(TENANT, input, START);
    expect(rules.all()).toHaveLength(5001);
  });
});
