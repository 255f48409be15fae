import type { SettingsFile } from '../platform/settings-file.ts';
import type { SettingsData } from './file-schema.ts';

/** Rewrites every encrypted text of the settings at once, or none of them. */
export function moveSecrets(file: SettingsFile<SettingsData>) {
  return (renewed: (text: string) => string): Promise<void> =>
    file.update(({ keys, tenants, tag_managers: connections }) => {
      for (const key of keys) key.encrypted = renewed(key.encrypted);
      for (const { webhook } of tenants) if (webhook) webhook.sealed = renewed(webhook.sealed);
      for (const one of connections) {
        if (one.tokens !== null) one.tokens = renewed(one.tokens);
        if (one.client_secret !== null) one.client_secret = renewed(one.client_secret);
      }
    });
}
