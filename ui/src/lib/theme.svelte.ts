type Choice = 'system' | 'light' | 'dark';

const STORED = 'vedette.theme';

/** Light or dark: what the person chose here, else what their system says. */
class Theme {
  #system = matchMedia('(prefers-color-scheme: dark)');
  #systemIsDark = $state(this.#system.matches);
  #choice = $state<Choice>(read());
  readonly shown = $derived(
    this.#choice === 'system' ? (this.#systemIsDark ? 'dark' : 'light') : this.#choice,
  );

  constructor() {
    this.#system.addEventListener('change', ({ matches }) => {
      this.#systemIsDark = matches;
      this.#apply();
    });
    this.#apply();
  }

  get choice(): Choice {
    return this.#choice;
  }

  choose(choice: Choice): void {
    this.#choice = choice;
    try {
      if (choice === 'system') localStorage.removeItem(STORED);
      else localStorage.setItem(STORED, choice);
    } catch {
      // It then holds for as long as the page is open.
    }
    this.#apply();
  }

  #apply(): void {
    document.documentElement.dataset['theme'] = this.shown;
  }
}

function read(): Choice {
  try {
    const stored = localStorage.getItem(STORED);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

export const theme = new Theme();
