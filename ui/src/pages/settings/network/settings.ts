import type { SettingsPatch, SettingsView } from '$server/settings/schema.ts';
import { api } from '$lib/api.ts';
import { queries } from '$lib/queries.ts';
import { reads } from '$lib/reads.ts';

export const HELD = 'Held by a start option, so it cannot be changed here.';

export async function changeSettings(patch: SettingsPatch): Promise<SettingsView> {
  const changed = await api.patch<SettingsView>('/settings', patch);
  queries.setQueryData(reads.settings().queryKey, changed);
  void queries.invalidateQueries({ queryKey: reads.about().queryKey });
  return changed;
}
