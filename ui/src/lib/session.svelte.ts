import type { SessionView } from '$server/session/schema.ts';
import { api, ApiError, onSignedOut } from './api.ts';
import { queries } from './queries.ts';

type State = 'asking' | 'in' | 'out' | 'closed' | 'unreachable';

/** Who is looking at this dashboard, and at which tenant. */
class Session {
  #state = $state<State>('asking');
  #view = $state.raw<SessionView>();
  /** Why the dashboard does not open here. */
  #problem = $state('');
  #ranOut = $state(false);

  constructor() {
    onSignedOut(() => this.#end());
  }

  get state(): State {
    return this.#state;
  }

  /** Only asked for where somebody is signed in. */
  get view(): SessionView {
    if (!this.#view) throw new Error('Nobody is signed in');
    return this.#view;
  }

  get problem(): string {
    return this.#problem;
  }

  /** Somebody was signed in a moment ago, and is told why they are not any more. */
  get ranOut(): boolean {
    return this.#ranOut;
  }

  async ask(): Promise<void> {
    try {
      this.#enter(await api.get<SessionView>('/session'));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401) this.#end();
      else if (this.#view) return;
      else {
        this.#problem = error.message;
        this.#state = error.status === 403 ? 'closed' : 'unreachable';
      }
    }
  }

  async signIn(proof: { password: string } | { token: string }): Promise<void> {
    this.#enter(await api.post<SessionView>('/session', proof));
  }

  async signOut(): Promise<void> {
    await api.delete('/session');
    this.#view = undefined;
    this.#end();
  }

  async switchTo(tenantId: string): Promise<void> {
    this.#enter(await api.patch<SessionView>('/session', { tenant_id: tenantId }));
  }

  /** Another window may have switched the tenant, on which everything shown depends. */
  #enter(view: SessionView): void {
    const isAnother = this.#view?.tenant_id !== view.tenant_id;
    this.#view = view;
    this.#state = 'in';
    this.#ranOut = false;
    if (isAnother) queries.clear();
  }

  #end(): void {
    this.#ranOut = this.#view !== undefined;
    this.#view = undefined;
    this.#state = 'out';
    queries.clear();
  }
}

export const session = new Session();
