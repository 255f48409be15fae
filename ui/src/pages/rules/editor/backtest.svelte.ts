import type { Preview } from '$server/rules/schema.ts';
import { api } from '$lib/api.ts';

const PAUSE_MS = 300;

export interface Question {
  rule_type: string;
  config: Record<string, unknown>;
  days: number;
}

/** What the rule being written would have done; asked again a moment after each change. */
export class Backtest {
  /** The last good answer stays while there is no newer one. */
  #answer = $state.raw<Preview>();
  #error = $state.raw<unknown>();
  #isAsking = $state(false);
  #isStale = $state(false);
  #question: Question | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #controller: AbortController | undefined;

  get answer(): Preview | undefined {
    return this.#answer;
  }

  get error(): unknown {
    return this.#error;
  }

  get isAsking(): boolean {
    return this.#isAsking;
  }

  /** What is shown is not about what is written. */
  get isStale(): boolean {
    return this.#isStale;
  }

  /** Without a question, what was shown stays and is no longer about this. */
  ask(question: Question | undefined): void {
    this.stop();
    this.#question = question;
    this.#isStale = true;
    if (question) this.#timer = setTimeout(() => void this.#fetch(question), PAUSE_MS);
    else this.#error = undefined;
  }

  /** What failed may work now. */
  again(): void {
    if (this.#question && this.#error !== undefined) void this.#fetch(this.#question);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#controller?.abort();
    this.#controller = undefined;
    this.#isAsking = false;
  }

  async #fetch(question: Question): Promise<void> {
    this.stop();
    const controller = new AbortController();
    this.#controller = controller;
    this.#isAsking = true;
    try {
      const answer = await api.post<Preview>('/rules/preview', question, controller.signal);
      if (controller.signal.aborted) return;
      this.#answer = answer;
      this.#error = undefined;
      this.#isStale = false;
    } catch (error) {
      if (controller.signal.aborted) return;
      this.#error = error;
    }
    this.#isAsking = false;
  }
}
