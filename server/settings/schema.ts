import { z } from 'zod';
import { time } from '../http/schema.ts';

const perMinute = z.int().min(1).max(1_000_000);
const ADDRESS = 'must be an address like https://events.shop.example or http://192.168.1.20:8737';

export const publicUrl = z.string().transform((text, context) => {
  const outcome = readPublicUrl(text);
  if ('url' in outcome) return outcome.url;
  context.addIssue({ code: 'custom', message: outcome.fault });
  return z.NEVER;
});

const network = z.union(
  [z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()],
  'must be an address or a network, like 192.168.1.5 or 10.0.0.0/8',
);

export const applianceSettings = z.strictObject({
  public_url: publicUrl.nullable(),
  trusted_proxies: z.array(network).max(50).readonly(),
  dashboard_on_lan: z.boolean(),
  rate_limit_events: perMinute,
  rate_limit_collect: perMinute,
  backup_dir: z
    .string()
    .max(4096)
    .regex(/^(\/|[A-Za-z]:[\\/]|\\\\)/, 'must be an absolute path, such as /mnt/backup/vedette')
    .nullable(),
});

export const settingsPatch = applianceSettings.partial();

export const settingsView = z
  .object({
    public_url: z
      .string()
      .nullable()
      .meta({ description: 'Where browsers outside reach Vedette, for example by a proxy' }),
    trusted_proxies: z.array(z.string()).readonly().meta({
      description: 'Proxies whose X-Forwarded-For is believed: addresses and networks',
    }),
    dashboard_on_lan: z
      .boolean()
      .meta({ description: 'Whether the dashboard answers other machines too' }),
    rate_limit_events: z.int().meta({ description: 'POST /events: requests a minute and key' }),
    rate_limit_collect: z.int().meta({ description: 'Pixel: requests a minute and key' }),
    backup_dir: z.string().nullable().meta({
      description: 'The folder of the daily backup; null means backup/ in the data directory',
    }),
    overridden: z
      .array(z.string())
      .meta({ description: 'Settings that a start option holds for this run' }),
  })
  .meta({ id: 'Settings' });

export const aboutView = z
  .object({
    version: z.string(),
    node: z.string(),
    platform: z.string(),
    data_dir: z.string(),
    started_at: time,
    host: z.string().meta({ description: 'The address that it listens on' }),
    port: z.int(),
    url: z.string().meta({ description: 'Where this machine reaches it' }),
    addresses: z.array(z.string()).meta({
      description: 'Where other machines on the network reach it; none when it listens on loopback',
    }),
    public_url: z.string().nullable(),
    needs_password: z.boolean().meta({
      description:
        'Vedette can be reached from outside, by a public address or a proxy, and has no password',
    }),
    notices: z
      .array(z.string())
      .meta({ description: 'What was found and mended at the start, for whoever runs it' }),
    clock_jump: z
      .object({ from: time, to: time })
      .nullable()
      .meta({
        description:
          'Set when the clock has moved ahead by more than three days: nothing is deleted by the ' +
          'new date until it is confirmed',
      }),
  })
  .meta({
    id: 'About',
    examples: [
      {
        ...{ version: '1.0.0', node: '24.4.1', platform: 'linux x64' },
        ...{ data_dir: '/var/lib/vedette', started_at: '2026-03-01T10:00:00.000Z' },
        ...{ host: '0.0.0.0', port: 8737, url: 'http://127.0.0.1:8737' },
        addresses: ['http://192.168.1.20:8737'],
        ...{ public_url: null, needs_password: false, notices: [], clock_jump: null },
      },
    ],
  });

const bytes = z.int().min(0);

export const storageView = z
  .object({
    database_bytes: bytes,
    journal_bytes: bytes.meta({ description: 'Events that are not in the database yet' }),
    kept_journal_bytes: bytes.meta({ description: 'The journal since the last backup' }),
    backup: z.object({
      dir: z.string(),
      at: time.nullable().meta({ description: 'When the last backup was made' }),
      bytes,
      is_running: z.boolean().meta({ description: 'Whether one is being made' }),
      problem: z.string().nullable().meta({ description: 'Why the last attempt failed' }),
    }),
    backup_bytes: bytes.meta({ description: 'Of backups in the data directory' }),
    logs_bytes: bytes,
    set_aside_bytes: bytes.meta({
      description: 'Files that could not be read, and former installations',
    }),
    free_bytes: bytes.meta({ description: 'Of the disk, and so is the total' }),
    total_bytes: bytes,
    events: z.int().meta({ description: 'Events of this tenant that are kept' }),
    oldest_event: time.nullable(),
    newest_event: time.nullable(),
  })
  .meta({
    id: 'Storage',
    examples: [
      {
        ...{ database_bytes: 73_400_320, journal_bytes: 20_480, kept_journal_bytes: 3_145_728 },
        backup: {
          ...{ dir: '/var/lib/vedette/backup', at: '2026-03-01T03:37:04.000Z' },
          ...{ bytes: 71_303_168, is_running: false, problem: null },
        },
        ...{ backup_bytes: 71_303_168, logs_bytes: 4096 },
        ...{ set_aside_bytes: 0, free_bytes: 48_318_382_080, total_bytes: 250_790_436_864 },
        ...{ events: 1_204_331, oldest_event: '2026-01-01T00:00:02.100Z' },
        newest_event: '2026-03-01T10:14:58.120Z',
      },
    ],
  });

export type ApplianceSettings = z.infer<typeof applianceSettings>;
export type SettingsPatch = z.infer<typeof settingsPatch>;
export type AboutView = z.infer<typeof aboutView>;
export type StorageView = z.infer<typeof storageView>;
export type SettingsView = z.infer<typeof settingsView>;

const HOST =
  /^((?:[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/;

function readPublicUrl(text: string): { url: string } | { fault: string } {
  if (/\s/.test(text)) return { fault: 'must not have spaces' };
  const scheme = /^(https?):\/\/(?=[^/?#])/i.exec(text);
  if (!scheme) return { fault: ADDRESS };
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { fault: ADDRESS };
  }
  // What the URL standard takes for a host and no name server knows, such as quotes.
  if (!HOST.test(url.hostname) || url.hostname.length > 253) return { fault: ADDRESS };
  if (url.username !== '' || url.password !== '') return { fault: 'must not have a user name' };
  const rest = text.slice(scheme[0].length).replace(/^[^/?#\\]*/, '');
  if (rest === '/') return { fault: `must not end with a slash: write ${url.origin}` };
  if (rest !== '') return { fault: `must not have a path: write ${url.origin}` };
  return { url: url.origin };
}
