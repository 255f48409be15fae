import { onDestroy } from 'svelte';
import { wordsOf } from '$lib/api.ts';
import { toasts } from '$lib/toasts.svelte.ts';

const SHOWN_MS = 60_000;

/** A secret that is read only when somebody asks for it, and does not stay on the screen. */
export class Reveal {
  #secret = $state('');
  #isBusy = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #read: () => Promise<string>;

  constructor(read: () => Promise<string>) {
    this.#read = read;
    onDestroy(() => this.hide());
  }

  get secret(): string {
    return this.#secret;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  hide(): void {
    this.#secret = '';
    clearTimeout(this.#timer);
  }

  async show(): Promise<void> {
    this.#isBusy = true;
    try {
      this.#secret = await this.#read();
      this.#timer = setTimeout(() => this.hide(), SHOWN_MS);
    } catch (error) {
      toasts.failed(wordsOf(error));
    } finally {
      this.#isBusy = false;
    }
  }
}
