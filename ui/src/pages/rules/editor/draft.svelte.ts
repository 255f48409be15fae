import type { RuleView } from '$server/rules/schema.ts';
import { bodyOf, formOf } from './form.ts';
import type { Form } from './form.ts';
import { lacking, proposedName } from './words.ts';

/** The rule being written, and whether that is more than what is stored. */
export class Draft {
  form = $state() as Form;
  #clean = $state('');
  /** When what was started from was last changed. */
  #from = $state<string>();
  readonly proposed = $derived.by(() => proposedName(this.form));
  readonly lacks = $derived.by(() => lacking(this.form));
  readonly body = $derived.by(() => bodyOf(this.form, this.proposed));
  readonly isChanged = $derived.by(() => JSON.stringify(this.body) !== this.#clean);

  constructor(form: Form, rule?: RuleView) {
    this.form = form;
    this.#clean = JSON.stringify(bodyOf(form, proposedName(form)));
    this.#from = rule?.updated_at;
  }

  /** Somebody else has changed the rule since. */
  isBehind(rule: RuleView): boolean {
    return rule.updated_at !== this.#from;
  }

  /** From here on nothing is unsaved. */
  accept(rule: RuleView): void {
    this.form = formOf(rule);
    this.startFrom(rule);
  }

  /** What is stored is the new start; what is written stays written. */
  startFrom(rule: RuleView): void {
    this.#clean = JSON.stringify(bodyOf(formOf(rule)));
    this.#from = rule.updated_at;
  }
}
