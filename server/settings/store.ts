import { problems } from '../platform/errors.ts';
import type { SettingsFile } from '../platform/settings-file.ts';
import type { SettingsData } from './file-schema.ts';
import type { ApplianceSettings, SettingsPatch, SettingsView } from './schema.ts';

export type SettingsStore = ReturnType<typeof createSettingsStore>;

interface Parts {
  file: SettingsFile<SettingsData>;
  /** What start options say; it holds for this run and is never stored. */
  overrides?: SettingsPatch;
}

export function createSettingsStore({ file, overrides = {} }: Parts) {
  const set = Object.entries(overrides).filter(([, value]) => value !== undefined);
  const held = Object.fromEntries(set) as Partial<ApplianceSettings>;
  const overridden = Object.keys(held);
  let current: ApplianceSettings = { ...file.data.settings, ...held };

  return {
    /** Stored settings under the start options. The same object until something changes. */
    current: (): Readonly<ApplianceSettings> => current,
    view: (): SettingsView => ({ ...current, overridden: [...overridden] }),
    /** Without a password anyone on the LAN could walk in, whatever the setting says. */
    dashboardOnLan: (): boolean => current.dashboard_on_lan && file.data.password !== null,
    async change(patch: SettingsPatch): Promise<SettingsView> {
      const fixed = Object.keys(patch).filter((name) => overridden.includes(name));
      if (fixed.length > 0) throw problems.settingOverridden(fixed);
      await file.update((draft) => {
        if (patch.dashboard_on_lan === true && draft.password === null) {
          throw problems.lanNeedsPassword();
        }
        if (typeof patch.public_url === 'string' && draft.password === null) {
          throw problems.publicNeedsPassword();
        }
        Object.assign(draft.settings, patch);
      });
      current = { ...file.data.settings, ...held };
      return { ...current, overridden: [...overridden] };
    },
  };
}
