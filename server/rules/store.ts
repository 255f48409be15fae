import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { problems } from '../platform/errors.ts';
import type { SettingsFile, View } from '../platform/settings-file.ts';
import { fieldErrors } from '../platform/validation.ts';
import type { SettingsData } from '../settings/file-schema.ts';
import { ruleDraft } from './schema.ts';
import type { NewRule, RulePatch, StoredRule } from './schema.ts';

export type RuleStore = ReturnType<typeof createRuleStore>;
export type Rule = View<StoredRule>;

/** All of them are read in every cycle and written with every change. */
const MAX_RULES = 5000;

export interface RuleFilter {
  active_only?: boolean | undefined;
  tag?: string | undefined;
  category?: string | undefined;
}

export function createRuleStore({ file }: { file: SettingsFile<SettingsData> }) {
  return {
    /** Newest first. */
    list: (tenantId: string, { active_only: activeOnly, tag, category }: RuleFilter): Rule[] =>
      file.data.rules
        .filter(
          (rule) =>
            rule.tenant_id === tenantId &&
            (!activeOnly || rule.is_active) &&
            (tag === undefined || rule.tags.includes(tag)) &&
            (category === undefined || rule.category === category),
        )
        .reverse(),

    /** Of every tenant. */
    active: (): Rule[] => file.data.rules.filter((rule) => rule.is_active),
    all: (): readonly Rule[] => file.data.rules,

    get: (tenantId: string, id: string): Rule => own(file.data.rules, tenantId, id),

    /** Tells whether a rule is still there, active, and judged in the same way. */
    present(): (rule: Rule) => boolean {
      const active = file.data.rules.filter((rule) => rule.is_active);
      const revisions = new Map(active.map((rule) => [rule.id, rule.revised_at]));
      return ({ id, revised_at }) => revisions.get(id) === revised_at;
    },

    async create(tenantId: string, input: NewRule, now: number): Promise<Rule> {
      const time = new Date(now).toISOString();
      const stamps = { created_at: time, updated_at: time, revised_at: time };
      const rule: StoredRule = { ...input, id: randomUUID(), tenant_id: tenantId, ...stamps };
      await file.update((draft) => {
        const count = draft.rules.filter((other) => other.tenant_id === tenantId).length;
        if (count >= MAX_RULES) throw problems.tooManyRules(MAX_RULES);
        draft.rules.push(rule);
      });
      return rule;
    },

    change: (tenantId: string, id: string, patch: RulePatch, now: number): Promise<Rule> =>
      file.update((draft) => {
        const rule = own(draft.rules, tenantId, id);
        const before = structuredClone(rule);
        Object.assign(rule, patch, judged(rule, patch));
        if (isDeepStrictEqual(rule, before)) return rule;
        rule.updated_at = new Date(now).toISOString();
        const isAnother = !isDeepStrictEqual(aim(rule), aim(before));
        if (isAnother || (rule.is_active && !before.is_active)) rule.revised_at = rule.updated_at;
        return rule;
      }),

    remove: (tenantId: string, id: string): Promise<void> =>
      file.update((draft) => {
        const rule = own(draft.rules, tenantId, id);
        draft.rules.splice(draft.rules.indexOf(rule), 1);
      }),
  };
}

/** What it looks for; all the rest is about how it is shown. */
const aim = ({ rule_type, config }: StoredRule) => ({ rule_type, config });

/** Type and config as they are after the change, which must fit each other. */
function judged(rule: StoredRule, patch: RulePatch) {
  const { rule_type = rule.rule_type, config = rule.config } = patch;
  const outcome = ruleDraft.safeParse({ rule_type, config });
  if (!outcome.success) throw problems.invalid(fieldErrors(outcome.error.issues));
  return outcome.data;
}

function own<R extends { readonly id: string; readonly tenant_id: string }>(
  rules: readonly R[],
  tenantId: string,
  id: string,
): R {
  const rule = rules.find((one) => one.id === id && one.tenant_id === tenantId);
  if (rule === undefined) throw problems.notFound('Rule');
  return rule;
}
