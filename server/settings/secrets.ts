import type { SettingsFile } from '../platform/settings-file.ts';
import type { SettingsData } from './file-schema.ts';

/** Rewrites every encrypted text of the settings at once, or none of them. */
export function moveSecrets(file: SettingsFile<SettingsData>) {
  return (renewed: (text: string) => string): Promise<void> =>
    file.update(({ keys, tenants }) => {
      for (const key of keys) key.encrypted = renewed(key.encrypted);
      for (const { webhook } of tenants) if (webhook) webhook.sealed = renewed(webhook.sealed);
    });
}
