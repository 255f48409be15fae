import type { ChangeView } from '$server/tagmanager/changes/schema.ts';
import type { ConnectionView, Disconnected } from '$server/tagmanager/connection/schema.ts';
import { api, wordsOf } from '$lib/api.ts';
import { confirm } from '$lib/confirm.svelte.ts';
import { queries } from '$lib/queries.ts';
import { router } from '$lib/router.svelte.ts';
import { toasts } from '$lib/toasts.svelte.ts';
import { openConsent } from '../connect/consent-window.ts';
import { refreshConnection, startReading, take } from '../parts/work.ts';

type Deed = 'consent' | 'cancel' | 'snapshot' | 'install' | 'disconnect';

/** What can be done about the connection, from wherever on the page it is offered. */
export class Deeds {
  /** What is opened over what usually stands there. */
  opened = $state<'client' | 'container'>();
  #busy = $state<Deed>();
  #left = $state.raw<Disconnected>();
  #isBlocked = $state(false);

  get busy(): Deed | undefined {
    return this.#busy;
  }

  /** How disconnecting ended, until something else is done. */
  get left(): Disconnected | undefined {
    return this.#left;
  }

  /** The browser did not let the consent screen open by itself. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  consent(): Promise<void> {
    this.#left = undefined;
    return this.#run('consent', async () => {
      this.#isBlocked = !(await openConsent(async () => {
        const view = await api.post<ConnectionView>(`${PATH}/consent`);
        await take(view);
        return view.waiting?.authorize_url;
      }));
      this.opened = undefined;
    });
  }

  cancel(): Promise<void> {
    return this.#run('cancel', async () => take(await api.delete(`${PATH}/consent`)));
  }

  snapshot(): Promise<void> {
    return this.#run('snapshot', startReading);
  }

  /** Proposes the template and its tag; nothing is written before that is accepted. */
  install(): Promise<void> {
    return this.#run('install', async () => {
      const made = await api.post<ChangeView[]>('/tag-manager/changes/install', {});
      void queries.invalidateQueries({ queryKey: ['tag-manager', 'changes'] });
      if (made.length > 0) router.go('/tag-manager/changes');
      else toasts.done('Everything is there already: there is nothing to propose');
    });
  }

  async disconnect(container: string | undefined, isWriting = false): Promise<void> {
    const written = isWriting
      ? 'Changes are being written: that ends, and what is written by then stays. '
      : '';
    const yes = await confirm.ask({
      title: 'Disconnect the tag manager?',
      text: `${written}The access that Google granted is given back, and what Vedette keeps of ${container ?? 'the container'} is deleted: its snapshots and all changes that wait. The container itself stays as it is, and so do its events, the client ID and the record of what was changed.`,
      action: 'Disconnect',
    });
    if (!yes) return;
    await this.#run('disconnect', async () => {
      this.#left = await api.delete<Disconnected>(PATH);
      this.opened = undefined;
      await refreshConnection();
    });
  }

  async #run(deed: Deed, action: () => Promise<void>): Promise<void> {
    if (this.#busy) return;
    this.#busy = deed;
    try {
      await action();
    } catch (error) {
      toasts.failed(wordsOf(error));
      // Another window may have done something meanwhile.
      void refreshConnection();
    } finally {
      this.#busy = undefined;
    }
  }
}

const PATH = '/tag-manager/connection';
