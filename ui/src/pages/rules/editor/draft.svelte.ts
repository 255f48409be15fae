import type { RuleView } from '$server/rules/schema.ts';
import { bodyOf } from './body.ts';
import type { RuleBody } from './body.ts';
import { settled } from '../../../lib/settled.ts';
import { formOf } from './form.ts';
import type { Form } from './form.ts';
import { lacking, proposedName } from './words.ts';
import { wrong } from './wrong.ts';

/** The rule being written, and whether that is more than what is stored. */
export class RuleDraft {
  form = $state() as Form;
  #clean = $state('');
  /** When what was started from was last changed. */
  #from = $state<string>();
  readonly proposed = $derived.by(() => proposedName(this.form));
  readonly lacks = $derived.by(() => lacking(this.form));
  readonly wrong = $derived.by(() => wrong(this.form));
  /** What it looks for can be tried on the past; what it is called does not matter there. */
  readonly isAskable = $derived.by(
    () => this.lacks.length === 0 && !this.wrong.some(({ path }) => path.startsWith('config.')),
  );
  readonly body = $derived.by(() => bodyOf(this.form, this.proposed));
  readonly isChanged = $derived.by(() => JSON.stringify(this.body) !== this.#clean);

  constructor(form: Form, rule?: RuleView) {
    this.form = form;
    this.#clean = JSON.stringify(bodyOf(form, proposedName(form)));
    if (rule) this.startFrom(rule);
  }

  /** Somebody else has changed the rule since. */
  isBehind(rule: RuleView): boolean {
    return rule.updated_at !== this.#from;
  }

  /** From here on nothing is unsaved, but for what was written since it was sent. */
  accept(rule: RuleView, sent = $state.snapshot(this.form) as Form): void {
    this.form = settled($state.snapshot(this.form) as Form, { sent, stored: formOf(rule) });
    this.startFrom(rule);
  }

  /** It was paused or resumed from here; what somebody else changed still is to be asked about. */
  acceptActive(rule: RuleView): void {
    const stored = bodyOf(formOf(rule));
    const clean = { ...(JSON.parse(this.#clean) as RuleBody), is_active: stored.is_active };
    this.form.isActive = stored.is_active;
    this.#clean = JSON.stringify(clean);
    if (this.#clean === JSON.stringify(stored)) this.#from = rule.updated_at;
  }

  /** What is stored is the new start; what is written stays written. */
  startFrom(rule: RuleView): void {
    this.#clean = JSON.stringify(bodyOf(formOf(rule)));
    this.#from = rule.updated_at;
  }
}
