import type { Appliance } from '../server/appliance.ts';
import type { LoginItem } from './login-item.ts';
import type { PreferenceStore } from './preferences.ts';
import type { Asked } from './ipc.ts';
import type { DesktopView, Folder } from './schema.ts';
import { pausedUntil } from './status.ts';
import type { Updates } from './updates.ts';

interface Parts {
  version: string;
  appliance: Pick<Appliance, 'secretsIn'>;
  preferences: PreferenceStore;
  loginItem: LoginItem;
  updates: Updates;
  signIn: () => Promise<void>;
  folders: Record<Folder, string>;
  /** Answers with what went wrong, or nothing. */
  openPath: (path: string) => Promise<string>;
}

/** What the dashboard in the window may ask of the desktop. */
export function createBridge(parts: Parts): Asked {
  const { version, appliance, preferences, loginItem, updates, signIn, folders } = parts;

  async function view(): Promise<DesktopView> {
    const { close_to_tray, check_for_updates } = preferences.current();
    return {
      ...{ version, close_to_tray, check_for_updates },
      start_at_login: await loginItem.isOn(),
      paused_until: pausedUntil(preferences, Date.now()),
      secrets: appliance.secretsIn,
      update: updates.state(),
    };
  }

  return {
    read: view,
    async change({ start_at_login, ...rest }) {
      if (start_at_login !== undefined) await loginItem.set(start_at_login);
      if (Object.keys(rest).length > 0) await preferences.change(rest);
      return view();
    },
    async openFolder(which) {
      const problem = await parts.openPath(folders[which]);
      if (problem !== '') throw new Error(problem);
    },
    signIn,
    async checkForUpdates() {
      await updates.check();
      return view();
    },
    restartToUpdate: async () => updates.restart(),
  };
}
