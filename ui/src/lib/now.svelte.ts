/** The present, moving every ten seconds, for words like '4 min ago'. */
class Now {
  #value = $state(Date.now());

  constructor() {
    setInterval(() => (this.#value = Date.now()), 10_000);
  }

  get value(): number {
    return this.#value;
  }
}

export const now = new Now();
