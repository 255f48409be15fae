import { z } from 'zod';

const perMinute = z.int().min(1).max(1_000_000);
const ADDRESS = 'must be an address like https://events.shop.example or http://192.168.1.20:8737';

export const publicUrl = z.string().transform((text, context) => {
  const outcome = readPublicUrl(text);
  if ('url' in outcome) return outcome.url;
  context.addIssue({ code: 'custom', message: outcome.fault });
  return z.NEVER;
});

export const applianceSettings = z.strictObject({
  public_url: publicUrl.nullable(),
  dashboard_on_lan: z.boolean(),
  rate_limit_events: perMinute,
  rate_limit_collect: perMinute,
});

export const settingsPatch = applianceSettings.partial();

export const settingsView = z
  .object({
    public_url: z
      .string()
      .nullable()
      .meta({ description: 'Where browsers outside reach Vedette, for example by a proxy' }),
    dashboard_on_lan: z
      .boolean()
      .meta({ description: 'Whether the dashboard answers other machines too' }),
    rate_limit_events: z.int().meta({ description: 'POST /events: requests a minute and key' }),
    rate_limit_collect: z.int().meta({ description: 'Pixel: requests a minute and key' }),
    overridden: z
      .array(z.string())
      .meta({ description: 'Settings that a start option holds for this run' }),
  })
  .meta({ id: 'Settings' });

export type ApplianceSettings = z.infer<typeof applianceSettings>;
export type SettingsPatch = z.infer<typeof settingsPatch>;
export type SettingsView = z.infer<typeof settingsView>;

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
  if (url.username !== '' || url.password !== '') return { fault: 'must not have a user name' };
  const rest = text.slice(scheme[0].length).replace(/^[^/?#\\]*/, '');
  if (rest === '/') return { fault: `must not end with a slash: write ${url.origin}` };
  if (rest !== '') return { fault: `must not have a path: write ${url.origin}` };
  return { url: url.origin };
}
