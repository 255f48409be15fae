import { settled } from '$lib/settled.ts';

/** What somebody types over what is stored. */
export class Draft<Value extends object> {
  value = $state() as Value;
  #base = $state.raw() as Value;

  constructor(stored: Value) {
    this.take(stored);
  }

  /** What the typing began from. */
  get base(): Value {
    return this.#base;
  }

  get isDirty(): boolean {
    return JSON.stringify(this.value) !== JSON.stringify(this.#base);
  }

  /** What is typed now, to be sent. */
  get copy(): Value {
    return $state.snapshot(this.value) as Value;
  }

  /** Starts anew from this. */
  take(stored: Value): void {
    this.#base = stored;
    this.value = structuredClone(stored);
  }

  /** What was sent is stored; what was typed since then stays typed. */
  settle(stored: Value, sent: Value): void {
    this.#base = stored;
    this.value = settled(this.copy, { sent, stored: structuredClone(stored) });
  }

  /** What is stored was read again: taken, unless somebody is typing. */
  offer(stored: Value): void {
    if (!this.isDirty) this.take(stored);
  }

  reset(): void {
    this.take(this.#base);
  }
}
