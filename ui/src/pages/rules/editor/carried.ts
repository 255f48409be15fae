import type { Form } from './form.ts';

let carried: { id: string; form: Form } | undefined;

/** What is written moves on to the page that the rule gets by being saved. */
export function carry(id: string, form: Form): void {
  carried = { id, form };
}

/** Only once: who comes back later starts from what is stored. */
export function carriedTo(id: string | undefined): Form | undefined {
  const form = carried?.id === id ? carried?.form : undefined;
  carried = undefined;
  return form;
}
