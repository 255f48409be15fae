import { ApiError, wordsOf } from '$lib/api.ts';

/** One form being sent: whether it is under way, and what the appliance found wrong with it. */
export class Saving {
  #isBusy = $state(false);
  #error = $state.raw<unknown>();

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** The fault of one field, by its path in the body that was sent. */
  at(path: string): string | undefined {
    return this.#error instanceof ApiError ? this.#error.at(path) : undefined;
  }

  /** Faults below a path, with the last step of each: `domains[2]` gives 2, `headers.X` gives X. */
  below(path: string): { step: string; message: string }[] {
    const errors = this.#error instanceof ApiError ? this.#error.errors : [];
    return errors
      .filter((fault) => fault.path.startsWith(path) && /^[.[]/.test(fault.path.slice(path.length)))
      .map(({ path: full, message }) => ({
        step: full.slice(path.length).replace(/^\.|^\[|\]$/g, ''),
        message,
      }));
  }

  /** What no field of the form can show beside itself. */
  besides(...shown: string[]): string | undefined {
    if (this.#error === undefined) return undefined;
    const errors = this.#error instanceof ApiError ? this.#error.errors : [];
    const isShown = errors.some(({ path }) => shown.some((name) => path.startsWith(name)));
    return isShown ? undefined : wordsOf(this.#error);
  }

  /** Says whether it went through; otherwise what went wrong is kept here. */
  async run(action: () => Promise<unknown>): Promise<boolean> {
    if (this.#isBusy) return false;
    this.#isBusy = true;
    this.#error = undefined;
    try {
      await action();
      return true;
    } catch (error) {
      this.#error = error;
      return false;
    } finally {
      this.#isBusy = false;
    }
  }

  forget(): void {
    this.#error = undefined;
  }
}
