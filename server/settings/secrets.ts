import { FILE_PREFIX } from '../platform/key-file.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { SettingsFile, View } from '../platform/settings-file.ts';
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

interface Parts {
  file: Pick<SettingsFile<SettingsData>, 'data'>;
  secrets: Pick<Secrets, 'cipher' | 'notices'>;
}

/**
 * Says what must be entered again when secret.key is not the file that the settings were encrypted
 * with, until that is done or the file is back.
 */
export function createLostSecrets({ file, secrets }: Parts) {
  const isLost = (text: string | null) => {
    if (!text?.startsWith(FILE_PREFIX)) return false;
    try {
      secrets.cipher.decrypt(text);
      return false;
    } catch {
      return true;
    }
  };

  return {
    get notices(): string[] {
      // A key store that has not opened yet may still bring the former key, and says so itself.
      const lost = secrets.notices.length > 0 ? [] : namesOf(file.data, isLost);
      return lost.length === 0 ? [] : [lostSecrets(lost)];
    },
  };
}

function namesOf(data: View<SettingsData>, isLost: (text: string | null) => boolean): string[] {
  const { keys, tenants, tag_managers: connections } = data;
  const tenantOf = (id: string) => tenants.find((tenant) => tenant.id === id)?.name ?? id;
  return [
    ...tenants.flatMap(({ name, webhook }) =>
      webhook && isLost(webhook.sealed) ? [`the webhook of ${name}`] : [],
    ),
    ...connections.flatMap(({ tenant_id: id, tokens, client_secret: secret }) =>
      isLost(tokens) || isLost(secret) ? [`the tag manager connection of ${tenantOf(id)}`] : [],
    ),
    ...keys.flatMap(({ name, encrypted }) => (isLost(encrypted) ? [`the API key ${name}`] : [])),
  ];
}

const lostSecrets = (names: readonly string[]) =>
  'The file secret.key was missing or was replaced, so these secrets cannot be read: ' +
  `${listed(names)}. To get them back, close Vedette, put the original file back and start again. ` +
  'Otherwise, set up the webhooks and connections again and rotate the API keys. API keys work as ' +
  'before, but cannot be shown.';

const NAMED = 6;

function listed(names: readonly string[]): string {
  const more = names.length - NAMED;
  return names.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
