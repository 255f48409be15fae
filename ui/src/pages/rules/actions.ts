import type { Evaluation } from '$server/evaluator/schema.ts';
import type { RuleView } from '$server/rules/schema.ts';
import { api, ApiError, wordsOf } from '$lib/api.ts';
import { confirm } from '$lib/confirm.svelte.ts';
import { queries } from '$lib/queries.ts';
import { toasts } from '$lib/toasts.svelte.ts';
import { count, plural } from '$lib/words.ts';

type Changes = Partial<Pick<RuleView, 'is_active' | 'tags' | 'category'>>;

const AT_ONCE = 4;

const refresh = () => queries.invalidateQueries({ queryKey: ['rules'] });
export const nameOf = (rule: RuleView) => `“${rule.name}”`;

/** Runs through all of them, a few at a time; gives back those that it worked for. */
async function each(
  rules: readonly RuleView[],
  act: (rule: RuleView) => Promise<unknown>,
): Promise<RuleView[]> {
  const waiting = [...rules];
  const done: RuleView[] = [];
  const failures: unknown[] = [];
  const work = async () => {
    for (let rule = waiting.shift(); rule; rule = waiting.shift()) {
      await act(rule).then(
        () => done.push(rule),
        (error: unknown) => failures.push(error),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await refresh();
  if (failures.length > 0) {
    const which =
      rules.length === 1 ? '' : ` (${count(failures.length)} of ${count(rules.length)})`;
    toasts.failed(`That did not work${which}: ${wordsOf(failures[0])}`);
  }
  return done;
}

const patch = (rule: RuleView, changes: Changes) => api.patch(`/rules/${rule.id}`, changes);
const words = (rules: readonly RuleView[]) => {
  const [first] = rules;
  return rules.length === 1 && first ? nameOf(first) : plural(rules.length, 'rule');
};

/** Changes them as told, and can put each back to what it was. */
async function change(
  rules: readonly RuleView[],
  changesOf: (rule: RuleView) => Changes,
  text: (what: string) => string,
): Promise<void> {
  const before = new Map(
    rules.map(({ id, is_active, tags, category }) => [id, { is_active, tags, category }]),
  );
  const done = await each(rules, (rule) => patch(rule, changesOf(rule)));
  if (done.length === 0) return;
  const back = (rule: RuleView): Changes => {
    const keys = Object.keys(changesOf(rule)) as (keyof Changes)[];
    return Object.fromEntries(keys.map((key) => [key, before.get(rule.id)?.[key]]));
  };
  toasts.done(text(words(done)), () => each(done, (rule) => patch(rule, back(rule))));
}

export const setActive = (rules: readonly RuleView[], isActive: boolean): Promise<void> =>
  change(
    rules.filter((rule) => rule.is_active !== isActive),
    () => ({ is_active: isActive }),
    (what) => (isActive ? `Resumed ${what}.` : `Paused ${what}.`),
  );

export const addTag = (rules: readonly RuleView[], tag: string): Promise<void> =>
  change(
    rules.filter((rule) => !rule.tags.includes(tag)),
    (rule) => ({ tags: [...rule.tags, tag] }),
    (what) => `Tagged ${what} ${tag}.`,
  );

export const setCategory = (rules: readonly RuleView[], category: string | null): Promise<void> =>
  change(
    rules.filter((rule) => rule.category !== category),
    () => ({ category }),
    (what) =>
      category === null ? `Took the category from ${what}.` : `Put ${what} into ${category}.`,
  );

/** Asks first; says whether it was done. */
export async function remove(rules: readonly RuleView[]): Promise<boolean> {
  const yes = await confirm.ask({
    title: `Delete ${words(rules)}?`,
    text:
      rules.length === 1
        ? 'It will not be checked any more and cannot be brought back. Its alerts stay.'
        : 'They will not be checked any more and cannot be brought back. Their alerts stay.',
    action: 'Delete',
  });
  if (!yes) return false;
  const done = await each(rules, async (rule) => {
    try {
      await api.delete(`/rules/${rule.id}`);
    } catch (error) {
      // Gone already is as good.
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  });
  if (done.length > 0) toasts.done(`Deleted ${words(done)}.`);
  return done.length > 0;
}

export async function checkNow(): Promise<void> {
  try {
    const cycle = await api.post<Evaluation>('/evaluations');
    toasts.done(cycleWords(cycle));
  } catch (error) {
    toasts.failed(`The rules could not be checked: ${wordsOf(error)}`);
  }
  for (const key of ['rules', 'evaluations', 'alerts']) {
    void queries.invalidateQueries({ queryKey: [key] });
  }
}

/** 12 rules checked in 40 ms: 1 fires, 2 could not be judged */
function cycleWords({ rules, duration_ms: took, fired, skipped }: Evaluation): string {
  // Those that could not be judged are not among the rules that it counts.
  const checked = rules + skipped.length;
  if (checked === 0) return 'There is no active rule to check.';
  const found = [
    fired === 0 ? 'none fires' : `${count(fired)} ${fired === 1 ? 'fires' : 'fire'}`,
    ...(skipped.length > 0 ? [`${count(skipped.length)} could not be judged`] : []),
  ];
  return `${plural(checked, 'rule')} checked in ${tookWords(took)}: ${found.join(', ')}.`;
}

export const tookWords = (ms: number): string =>
  ms < 1000 ? `${count(Math.max(1, ms))} ms` : `${(ms / 1000).toFixed(1)} s`;
