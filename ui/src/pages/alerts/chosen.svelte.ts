/** Which rows are chosen, by their keys. */
export class Chosen {
  #keys = $state.raw<readonly string[]>([]);
  /** Where a range begins that is ended with the shift key. */
  #anchor: string | undefined;

  get keys(): readonly string[] {
    return this.#keys;
  }

  has(key: string): boolean {
    return this.#keys.includes(key);
  }

  /** With a range, all between the one before and this one become as this one becomes. */
  toggle(key: string, rows: readonly string[], isRange = false): void {
    const isChosen = !this.has(key);
    const [from, to] = [rows.indexOf(isRange ? (this.#anchor ?? key) : key), rows.indexOf(key)];
    const meant =
      from < 0 || to < 0 ? [key] : rows.slice(Math.min(from, to), Math.max(from, to) + 1);
    const rest = this.#keys.filter((other) => !meant.includes(other));
    this.#keys = isChosen ? [...rest, ...meant] : rest;
    this.#anchor = key;
  }

  set(keys: readonly string[]): void {
    this.#keys = keys;
    this.#anchor = undefined;
  }
}
