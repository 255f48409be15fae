interface Fault {
  path: string;
  message: string;
}

/** What the server says is wrong, at the field that it is about. */
export class Faults {
  readonly #faults: readonly Fault[];

  constructor(faults: readonly Fault[] = []) {
    this.#faults = faults;
  }

  /** At this key of the config, or at anything inside it. */
  config(key: string): string | undefined {
    return this.of(`config.${key}`);
  }

  of(key: string): string | undefined {
    const fault = this.#faults.find(({ path }) => isUnder(path, key));
    if (!fault) return undefined;
    const { path, message } = fault;
    const where = path === key ? '' : `${placeIn(path.slice(key.length))} `;
    const text = `${where}${message}.`;
    return text.charAt(0).toUpperCase() + text.slice(1);
  }

  /** What no field of the form stands for. */
  others(known: readonly string[]): string[] {
    return this.#faults
      .filter(({ path }) => !known.some((key) => isUnder(path, key)))
      .map(({ path, message }) => `${path} ${message}`.trim());
  }
}

function isUnder(path: string, key: string): boolean {
  return path === key || path.startsWith(`${key}.`) || path.startsWith(`${key}[`);
}

/** People count from one. */
function placeIn(rest: string): string {
  const index = /^\[(\d+)\]$/.exec(rest)?.[1];
  return index === undefined ? rest : `number ${Number(index) + 1}`;
}
