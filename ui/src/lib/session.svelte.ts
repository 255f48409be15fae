import type { SessionView } from '$server/session/schema.ts';
import { focusManager } from '@tanstack/svelte-query';
import { api, ApiError, onSignedOut, onSwitched, speakFor } from './api.ts';
import { queries } from './queries.ts';

type State = 'asking' | 'in' | 'out' | 'closed' | 'unreachable';

/** Who is looking at this dashboard, and at which tenant. */
class Session {
  #state = $state<State>('asking');
  #view = $state.raw<SessionView>();
  #windows = new BroadcastChannel('vedette.session');
  /** Why the dashboard does not open here. */
  #problem = $state('');

  constructor() {
    onSignedOut(() => this.#runOut());
    onSwitched(() => void this.ask());
    // The windows of a browser share the session, and with it the tenant.
    this.#windows.addEventListener('message', () => void this.ask());
  }

  get state(): State {
    return this.#state;
  }

  /** Only asked for where somebody is signed in, or was until the session ran out. */
  get view(): SessionView {
    if (!this.#view) throw new Error('Nobody is signed in');
    return this.#view;
  }

  get problem(): string {
    return this.#problem;
  }

  /** Somebody was signed in a moment ago; what they were at is kept for when they come back. */
  get ranOut(): boolean {
    return this.#state === 'out' && this.#view !== undefined;
  }

  async ask(): Promise<void> {
    try {
      this.#enter(await api.get<SessionView>('/session'));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401) this.#runOut();
      else if (error.status === 403) this.#shut('closed', error);
      // What was shown stays, and the frame says that it is as it was.
      else if (!this.#view) this.#shut('unreachable', error);
    }
  }

  signIn(proof: { password: string } | { token: string }): Promise<void> {
    return this.#begin(() => api.post<SessionView>('/session', proof));
  }

  /** Somebody else vouches for this window, as the desktop's shell does. */
  signInBy(vouch: () => Promise<void>): Promise<void> {
    return this.#begin(async () => {
      await vouch();
      return api.get<SessionView>('/session');
    });
  }

  async signOut(): Promise<void> {
    await api.delete('/session').catch((error: unknown) => {
      // Who is signed out already has what they wanted.
      if (!(error instanceof ApiError && error.status === 401)) throw error;
    });
    this.#view = undefined;
    speakFor(undefined);
    this.#runOut();
    queries.clear();
    this.#windows.postMessage('signed out');
  }

  async switchTo(tenantId: string): Promise<void> {
    this.#enter(await api.patch<SessionView>('/session', { tenant_id: tenantId }));
    this.#windows.postMessage('switched');
  }

  async #begin(open: () => Promise<SessionView>): Promise<void> {
    const before = this.#view?.tenant_id;
    const view = await open();
    this.#enter((before && before !== view.tenant_id && (await backTo(before))) || view);
    this.#windows.postMessage('signed in');
  }

  /** Another window may have switched the tenant, on which everything shown depends. */
  #enter(view: SessionView): void {
    const isAnother = this.#view?.tenant_id !== view.tenant_id;
    const isBack = this.ranOut;
    this.#view = view;
    speakFor(view.tenant_id);
    this.#state = 'in';
    focusManager.setFocused(undefined);
    if (isAnother) queries.clear();
    else if (isBack) void queries.invalidateQueries();
  }

  #shut(state: 'closed' | 'unreachable', { message }: ApiError): void {
    this.#problem = message;
    this.#state = state;
  }

  /** What was read stays, and so does the page; but nothing more is asked for meanwhile. */
  #runOut(): void {
    this.#state = 'out';
    focusManager.setFocused(false);
  }
}

/** A new session begins at the first tenant; the page that is kept may show another. */
async function backTo(tenantId: string): Promise<SessionView | undefined> {
  return api.patch<SessionView>('/session', { tenant_id: tenantId }).catch(() => undefined);
}

export const session = new Session();
