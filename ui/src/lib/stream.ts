/** How long it waits after a refusal, longer each time, until it has been let in again. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 30_000;

/** To go on after, where there has never been an event: everything comes after it. */
export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export interface Listener {
  opened?: () => void;
  /** It comes back by itself. */
  lost?: () => void;
  event: (record: string, id: string) => void;
  /** So many were not sent: there were too many of them at once or, if `late`, while it was away. */
  missed: (count: number, late: boolean) => void;
}

/**
 * Hears events arrive. Browsers allow few connections, so it holds one only between `open` and
 * `close`; when opened again it goes on where it was.
 */
export class Stream {
  readonly #addressFor: (from: string) => string;
  readonly #listener: Listener;
  /** May find out that nobody is signed in any more, and close this. */
  readonly #onrefused: () => void;
  #source: EventSource | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #wait = FIRST_WAIT_MS;
  #newestId: string;
  #hasBeenOpen = false;

  /** It begins with what came after the event `from`. */
  constructor(
    addressFor: (from: string) => string,
    from: string,
    listener: Listener,
    onrefused: () => void,
  ) {
    this.#addressFor = addressFor;
    this.#newestId = from;
    this.#listener = listener;
    this.#onrefused = onrefused;
  }

  open(): void {
    if (this.#source || this.#again !== undefined) return;
    this.#wait = FIRST_WAIT_MS;
    this.#connect();
  }

  close(): void {
    clearTimeout(this.#again);
    this.#again = undefined;
    this.#source?.close();
    this.#source = undefined;
  }

  #connect(): void {
    const { opened, lost, event, missed } = this.#listener;
    const source = new EventSource(this.#addressFor(this.#newestId));
    this.#source = source;
    let isLate = false;
    source.onopen = () => {
      isLate = this.#hasBeenOpen;
      this.#hasBeenOpen = true;
      this.#wait = FIRST_WAIT_MS;
      opened?.();
    };
    source.onerror = () => {
      lost?.();
      // The browser itself tries again, unless it was refused.
      if (source.readyState === EventSource.CLOSED) this.#tryLater();
    };
    source.addEventListener('event', ({ data, lastEventId }: MessageEvent<string>) => {
      isLate = false;
      this.#newestId = lastEventId;
      event(data, lastEventId);
    });
    source.addEventListener('missed', ({ data }: MessageEvent<string>) => {
      missed((JSON.parse(data) as { count: number }).count, isLate);
      isLate = false;
    });
  }

  #tryLater(): void {
    this.close();
    this.#again = setTimeout(() => {
      this.#again = undefined;
      this.#connect();
    }, this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
    this.#onrefused();
  }
}
