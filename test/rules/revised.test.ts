import { describe, expect, it } from 'vitest';
import type { RuleView } from '../../server/rules/schema.ts';
import { monitoredTenant, QUARTER } from '../helpers/monitored.ts';
import { CONFIGS } from './http-parts.ts';

const verdict = {
  ...{ state: 'fires', value: 3, expected: null },
  message: 'Threshold exceeded: 3 > 1 in 60 min window',
};

/** A rule that was judged in one cycle. */
async function judgedRule() {
  const vedette = await monitoredTenant();
  const { id } = await vedette.rule('threshold', { ...CONFIGS.threshold, operator: '>' });
  await vedette.send('purchase', 3);
  await vedette.nextQuarter();
  const read = async () => (await vedette.call('GET', `/rules/${id}`)).json<RuleView>();
  const last_evaluated_at = new Date(vedette.start + QUARTER).toISOString();
  return {
    ...vedette,
    judged: { last_evaluated_at, last_verdict: verdict },
    read,
    patch: async (body: object) =>
      (await vedette.call('PATCH', `/rules/${id}`, body)).json<RuleView>(),
  };
}

const notJudged = { last_evaluated_at: null, last_verdict: null };

describe('what a rule shows of its last cycle', () => {
  it('is when that was, and what it came to', async () => {
    await using rule = await judgedRule();
    expect(await rule.read()).toMatchObject(rule.judged);
    const [listed] = (await rule.call('GET', '/rules')).json<RuleView[]>();
    expect(listed).toMatchObject(rule.judged);
  });

  it('stays when it is named, tagged or paused', async () => {
    await using rule = await judgedRule();
    for (const body of [{ name: 'x' }, { tags: ['t'] }, { category: 'c' }, { is_active: false }]) {
      expect(await rule.patch(body)).toMatchObject({ ...body, ...rule.judged });
    }
    expect(await rule.read()).toMatchObject(rule.judged);
  });

  it('is forgotten when it is judged by another config', async () => {
    await using rule = await judgedRule();
    const config = { ...CONFIGS.threshold, operator: '>', value: 2 };
    expect(await rule.patch({ config })).toMatchObject(notJudged);
    await rule.nextQuarter();
    expect((await rule.read()).last_verdict).toEqual({
      ...verdict,
      message: 'Threshold exceeded: 3 > 2 in 60 min window',
    });
  });

  it('is forgotten when it is judged again after a pause', async () => {
    await using rule = await judgedRule();
    await rule.patch({ is_active: false });
    await rule.nextQuarter();
    expect(await rule.read()).toMatchObject(rule.judged);
    expect(await rule.patch({ is_active: true })).toMatchObject(notJudged);
    await rule.nextQuarter();
    expect((await rule.read()).last_verdict).toEqual(verdict);
  });
});
