const AGAIN_MS = 2_000;

/** Whether Vedette answers. Once it does not, asks until it does again. */
class Connection {
  #isLost = $state(false);
  #returned = new Set<() => void>();

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Some request did not come through. */
  lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    void this.#askAgain();
  }

  onReturn(listener: () => void): () => void {
    this.#returned.add(listener);
    return () => this.#returned.delete(listener);
  }

  async #askAgain(): Promise<void> {
    while (this.#isLost) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      const answer = await fetch('/health', { cache: 'no-store' }).catch(() => undefined);
      // A proxy may answer while what is behind it does not.
      if (answer?.ok) this.#isLost = false;
    }
    for (const listener of this.#returned) listener();
  }
}

export const connection = new Connection();
