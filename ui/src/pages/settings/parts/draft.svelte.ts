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

  /** What is stored was read again, or was just saved. */
  take(stored: Value): void {
    this.#base = stored;
    this.value = structuredClone(stored);
  }

  /** As `take`, unless somebody is typing: a quiet refresh takes nothing away. */
  offer(stored: Value): void {
    if (!this.isDirty) this.take(stored);
  }

  reset(): void {
    this.take(this.#base);
  }
}
