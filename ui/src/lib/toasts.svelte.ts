export interface Toast {
  id: number;
  text: string;
  kind: 'done' | 'failed';
  undo?: () => unknown;
}

const SHOWN_MS = 8_000;

/** Short words about what was just done, with a way back where there is one. */
class Toasts {
  #all = $state.raw<readonly Toast[]>([]);
  #next = 1;

  get all(): readonly Toast[] {
    return this.#all;
  }

  done(text: string, undo?: () => unknown): void {
    this.#show({ text, kind: 'done', ...(undo && { undo }) });
  }

  failed(text: string): void {
    this.#show({ text, kind: 'failed' });
  }

  close(id: number): void {
    this.#all = this.#all.filter((toast) => toast.id !== id);
  }

  #show(toast: Omit<Toast, 'id'>): void {
    const id = this.#next++;
    this.#all = [...this.#all.slice(-2), { ...toast, id }];
    setTimeout(() => this.close(id), SHOWN_MS);
  }
}

export const toasts = new Toasts();
