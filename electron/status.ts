import type { Appliance } from '../server/appliance.ts';
import { isPausedAt } from './preferences.ts';
import type { PreferenceStore } from './preferences.ts';
import type { TrayState } from './tray.ts';
import type { createUpdates } from './updates.ts';

interface Parts {
  appliance: Pick<Appliance, 'url' | 'health' | 'openAlerts' | 'onAlertsChanged'>;
  preferences: PreferenceStore;
  updates: Pick<ReturnType<typeof createUpdates>, 'state' | 'onChange'>;
  show: (state: TrayState) => void;
  noted: (error: unknown) => void;
}

const LOOK_EVERY_MS = 20_000;

/** Keeps the tray true to what is. Returns what ends that. */
export function watchStatus({ appliance, preferences, updates, show, noted }: Parts): () => void {
  let open: TrayState['open'] = { critical: 0, warning: 0, info: 0 };

  function refresh(): void {
    const failing = Object.values(appliance.health().checks).find(({ ok }) => !ok);
    const update = updates.state();
    show({
      open,
      trouble: failing ? (failing.detail ?? 'Something is wrong') : null,
      pausedUntil: pausedUntil(preferences, Date.now()),
      url: appliance.url,
      update: update.state === 'ready' ? update.version : null,
    });
  }

  async function count(): Promise<void> {
    open = await appliance.openAlerts();
    refresh();
  }

  const recount = () => void count().catch(noted);
  // Health and the end of a pause tell nobody of themselves.
  const looking = setInterval(refresh, LOOK_EVERY_MS);
  const forget = [
    appliance.onAlertsChanged(recount),
    preferences.onChange(refresh),
    updates.onChange(refresh),
    () => clearInterval(looking),
  ];
  refresh();
  recount();
  return () => {
    for (const end of forget) end();
  };
}

/** A pause that is over is none. */
export function pausedUntil(
  preferences: Pick<PreferenceStore, 'current'>,
  now: number,
): string | null {
  const until = preferences.current().paused_until;
  return isPausedAt(until, now) ? until : null;
}
