export interface Question {
  title: string;
  /** What will be gone, and whether it comes back. */
  text: string;
  /** The word on the button, a verb: Delete, Revoke. */
  action: string;
}

/** Asks before something that cannot be taken back. */
class Confirm {
  #question = $state.raw<Question>();
  #answer: (yes: boolean) => void = () => undefined;

  get question(): Question | undefined {
    return this.#question;
  }

  ask(question: Question): Promise<boolean> {
    this.answer(false);
    this.#question = question;
    return new Promise((resolve) => (this.#answer = resolve));
  }

  answer(yes: boolean): void {
    this.#question = undefined;
    this.#answer(yes);
  }
}

export const confirm = new Confirm();
