import { onTestFinished } from 'vitest';
import type { ContainerPlace, Place } from '../../../server/tagmanager/api/api.ts';
import type { AskOptions } from '../../../server/tagmanager/api/ask.ts';
import { createApi } from '../../../server/tagmanager/api/client.ts';
import { createPacer } from '../../../server/tagmanager/api/pacer.ts';
import type { Quota } from '../../../server/tagmanager/api/allowance.ts';
import { startTagManagerApi } from '../../helpers/tag-manager-api/start.ts';
import type { TagManagerApiOptions } from '../../helpers/tag-manager-api/start.ts';
import { createTime } from './time.ts';

const PLENTY: Quota = { requests: 100_000, withinMs: 100_000, perDay: 1_000_000 };

interface Options extends Partial<AskOptions> {
  emulator?: TagManagerApiOptions;
  quota?: Quota;
}

/** Our client before the emulator, with time that passes only when it is told to. */
export async function start({ emulator, quota = PLENTY, ...more }: Options = {}) {
  const time = createTime();
  const google = await startTagManagerApi({ now: time.now, ...emulator });
  onTestFinished(google.close);
  const place = google.container();
  const pacer = createPacer({ clock: time, quota, wait: time.wait });
  const api = createApi({
    ...{ endpoint: google.url, accessToken: () => Promise.resolve('ours'), project: '1234' },
    ...{ pacer, random: () => 0 },
    fetch: async (...asked) => time.during(fetch(...asked)),
    ...more,
  });
  return { time, google, place, pacer, api };
}

export const container = ({ accountId, containerId }: Place): ContainerPlace => ({
  ...{ accountId, containerId },
});

export const HTML = {
  ...{ name: 'Banner', type: 'html', firingTriggerId: ['2147479553'] },
  parameter: [{ type: 'template', key: 'html', value: '<b>Hello</b>' }],
};

export const TEMPLATE = { name: 'Pixel', templateData: '___INFO___\n\n{}\n' };
