type Value = string | number | null | undefined;
/** Says whether one may leave; without a place when the window itself is closed. */
type Guard = (to: URL | undefined) => boolean;

/** Where the person is. Pages read it, and filters live in it. */
class Router {
  #url = $state.raw(new URL(location.href));
  /** Asked before leaving; an editor with unsaved words may say no. */
  #guards = new Set<Guard>();

  constructor() {
    addEventListener('popstate', () => {
      const to = new URL(location.href);
      if (to.pathname !== this.#url.pathname && !this.#mayLeave(to)) {
        history.pushState(null, '', this.#url);
        return;
      }
      this.#url = to;
    });
    addEventListener('beforeunload', (event) => {
      if (this.#guards.size > 0 && !this.#mayLeave(undefined)) event.preventDefault();
    });
    document.addEventListener('click', (event) => this.#follow(event));
  }

  get path(): string {
    return this.#url.pathname.replace(/(.)\/+$/, '$1');
  }

  get query(): URLSearchParams {
    return this.#url.searchParams;
  }

  get hash(): string {
    return this.#url.hash;
  }

  /** Path and query, to come back to. */
  get here(): string {
    return this.#url.pathname + this.#url.search;
  }

  go(to: string, { replace = false } = {}): void {
    const url = new URL(to, location.href);
    const isElsewhere = url.pathname !== this.#url.pathname;
    if (isElsewhere && !this.#mayLeave(url)) return;
    if (replace) history.replaceState(null, '', url);
    else history.pushState(null, '', url);
    this.#url = url;
    if (isElsewhere) scrollTo(0, 0);
  }

  /** Changes some parameters and keeps the others; empty ones are left out of the address. */
  setQuery(changes: Record<string, Value>, { replace = true } = {}): void {
    const url = new URL(this.#url);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === undefined || value === '') url.searchParams.delete(name);
      else url.searchParams.set(name, String(value));
    }
    if (url.search !== this.#url.search) this.go(url.href, { replace });
  }

  /** Returns what takes the guard away again. The guard says whether one may leave. */
  guard(mayLeave: Guard): () => void {
    this.#guards.add(mayLeave);
    return () => this.#guards.delete(mayLeave);
  }

  #mayLeave(to: URL | undefined): boolean {
    return [...this.#guards].every((mayLeave) => mayLeave(to));
  }

  /** Plain links stay links: they open in new tabs and can be copied. */
  #follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target || link.hasAttribute('download')) return;
    const url = new URL(link.href, location.href);
    if (url.origin !== location.origin || url.pathname.startsWith('/docs')) return;
    if (url.pathname.startsWith('/api/')) return;
    if (url.hash && url.pathname === location.pathname && url.search === location.search) return;
    event.preventDefault();
    this.go(url.href);
  }
}

export const router = new Router();
