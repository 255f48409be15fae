import { EVENTS_PER_MINUTE, PIXELS_PER_MINUTE } from '../platform/bounds.ts';
import { z } from 'zod';
import { storedRule } from '../rules/schema.ts';
import { storedSession } from '../session/schema.ts';
import { storedConnection } from '../tagmanager/connection/schema.ts';
import { storedKey, storedTenant } from '../tenants/schema.ts';
import { applianceSettings } from './schema.ts';

/**
 * The whole of settings.json. Strict, so that a key that this version does not know stops the
 * start instead of vanishing with the next save. A new section needs a `.default`, or older files
 * no longer parse.
 */
export const settingsFileSchema = z.strictObject({
  version: z.literal(1),
  /** Made once; the database has it too (platform/installation.ts). */
  installation: z.uuid(),
  tenants: z.array(storedTenant),
  keys: z.array(storedKey),
  rules: z.array(storedRule).default([]),
  sessions: z.array(storedSession),
  tag_managers: z.array(storedConnection).default([]),
  password: z.string().nullable(),
  settings: applianceSettings,
});

export type SettingsData = z.infer<typeof settingsFileSchema>;

export function initialSettings(): SettingsData {
  return {
    version: 1,
    installation: crypto.randomUUID(),
    tenants: [],
    keys: [],
    rules: [],
    sessions: [],
    tag_managers: [],
    password: null,
    settings: {
      public_url: null,
      trusted_proxies: ['127.0.0.0/8', '::1'],
      dashboard_on_lan: false,
      rate_limit_events: EVENTS_PER_MINUTE,
      rate_limit_collect: PIXELS_PER_MINUTE,
      backup_dir: null,
    },
  };
}
