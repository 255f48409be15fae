import type { RuleView } from '$server/rules/schema.ts';
import { api, ApiError, wordsOf } from '$lib/api.ts';
import { queries } from '$lib/queries.ts';
import { router } from '$lib/router.svelte.ts';
import { toasts } from '$lib/toasts.svelte.ts';
import { listed } from '$lib/words.ts';
import { carry } from './carried.ts';
import type { RuleDraft } from './draft.svelte.ts';
import type { Form } from './form.ts';

/** Puts the draft where rules are kept, unless it was changed there meanwhile. */
export class RuleSaving {
  isBusy = $state(false);
  isGone = $state(false);
  #error = $state.raw<unknown>();
  #words = $state('');
  /** All is saved, and the page is about to go elsewhere. */
  isLeaving = false;
  readonly #draft: RuleDraft;

  constructor(draft: RuleDraft) {
    this.#draft = draft;
  }

  get error(): unknown {
    return this.#error;
  }

  /** What went wrong, beyond the faults of single fields. */
  get words(): string {
    return this.#words;
  }

  forget(): void {
    this.#error = undefined;
    this.#words = '';
  }

  async save(rule: RuleView | undefined): Promise<void> {
    if (this.isGone || !rule) return this.saveAsNew();
    await this.#try(async () => {
      const stored = await api.get<RuleView>(`/rules/${rule.id}`);
      queries.setQueryData(['rules', 'one', rule.id], stored);
      // The page then says so, and asks whose version is to hold.
      if (this.#draft.isBehind(stored)) return;
      const sent = this.#written();
      const saved = await api.patch<RuleView>(`/rules/${rule.id}`, this.#draft.body);
      this.#keep(saved, sent);
      toasts.done('Saved. It holds from the next check on.');
    });
  }

  saveAsNew = (): Promise<void> =>
    this.#try(async () => {
      const sent = this.#written();
      const saved = await api.post<RuleView>('/rules', this.#draft.body);
      this.#keep(saved, sent);
      toasts.done(`Saved “${saved.name}”. It is checked every quarter of an hour.`);
      this.isLeaving = true;
      if (this.#draft.isChanged) carry(saved.id, this.#written());
      router.go(`/rules/${saved.id}`, { replace: true });
    });

  #written = (): Form => $state.snapshot(this.#draft.form) as Form;

  #keep(saved: RuleView, sent: Form): void {
    queries.setQueryData(['rules', 'one', saved.id], saved);
    this.#draft.accept(saved, sent);
    void queries.invalidateQueries({ queryKey: ['rules'] });
  }

  async #try(act: () => Promise<void>): Promise<void> {
    if (this.isBusy) return;
    this.forget();
    const { lacks, wrong } = this.#draft;
    if (lacks.length > 0) {
      this.#words = `Before it can be saved the rule needs ${listed(lacks)}.`;
      return;
    }
    if (wrong.length > 0) {
      this.#words = 'Not saved. What is marked in red has to be put right first.';
      return;
    }
    this.isBusy = true;
    try {
      await act();
    } catch (error) {
      this.#error = error;
      this.isGone = error instanceof ApiError && error.status === 404;
      if (!this.isGone) this.#words = `Not saved. ${wordsOf(error)}`;
    }
    this.isBusy = false;
  }
}
