import type { DesktopView } from '$electron/schema.ts';

interface Words {
  mark: 'healthy' | 'info' | 'warning' | 'waiting' | 'paused' | 'skipped';
  text: string;
  /** In the words of the shell. */
  detail: string | null;
}

/** How it stands with new versions. */
export function updateWords({ version, update }: Pick<DesktopView, 'version' | 'update'>): Words {
  const { state, detail } = update;
  const next = update.version === null ? 'A new version' : `Version ${update.version}`;
  switch (state) {
    case 'off':
      return { mark: 'paused', text: 'Vedette does not look for new versions.', detail };
    case 'unavailable':
      return { mark: 'skipped', text: 'This copy of Vedette cannot update itself.', detail };
    case 'unasked':
      return { mark: 'waiting', text: 'Vedette has not looked for a new version yet.', detail };
    case 'current':
      return { mark: 'healthy', text: `Version ${version} is the newest.`, detail };
    case 'checking':
      return { mark: 'waiting', text: 'Looking for a new version …', detail };
    case 'loading':
      return { mark: 'waiting', text: `${next} is being loaded …`, detail };
    case 'ready':
      return { mark: 'info', text: `${next} is ready to be put in place.`, detail };
    case 'failed':
      return {
        mark: 'warning',
        text: `${update.version === null ? 'Looking for a new version' : `The update to version ${update.version}`} failed.`,
        detail,
      };
  }
}
