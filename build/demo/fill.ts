import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { migrations } from '../../server/appliance.ts';
import { openEvents } from '../../server/events/events.ts';
import type { Events } from '../../server/events/events.ts';
import { createIdStems } from '../../server/events/ids.ts';
import { newSegment } from '../../server/events/segment.ts';
import { createEvaluatorStore } from '../../server/evaluator/store.ts';
import { prepareDataDir } from '../../server/platform/data-dir.ts';
import { openDatabase } from '../../server/platform/database.ts';
import { noFaults as faults } from '../../server/platform/faults.ts';
import { silentLog as log } from '../../server/platform/log.ts';
import { openKeyFileCipher } from '../../server/platform/secrets.ts';
import { openSettingsFile } from '../../server/platform/settings-file.ts';
import { createRuleStore } from '../../server/rules/store.ts';
import { initialSettings, settingsFileSchema } from '../../server/settings/file-schema.ts';
import { createKeys } from '../../server/tenants/keys.ts';
import { newKey, newTenant } from '../../server/tenants/schema.ts';
import { createTenantStore } from '../../server/tenants/store.ts';
import type { TenantStore } from '../../server/tenants/store.ts';
import { DOMAIN } from './catalogue.ts';
import { refuseSome } from './flaws.ts';
import { journalLine } from './lines.ts';
import { play } from './play.ts';
import { createShop } from './shop.ts';
import { DAY, heard, localTime, MINUTE, tellStory } from './story.ts';
import type { Story } from './story.ts';

export interface DemoOptions {
  /** The thirty days end here. */
  now: number;
  seed?: number;
  /** About so many; what rules watch is there in full all the same. */
  events?: number;
  /** Where deliveries are really sent; without it there is no webhook. */
  webhookUrl?: string;
  progress?: (text: string) => void;
}

export interface Filled {
  tenantId: string;
  /** Shown nowhere else. */
  keys: { full: string; ingest: string; read: string };
  story: Story;
}

/** What is made and stored in one go. */
const PORTION = 2 * DAY;

/** Fills an empty data directory with thirty days of a shop and of the people who watch it. */
export async function fillDemo(dataDir: string, options: DemoOptions): Promise<Filled> {
  const { now, seed = 7, events: wanted = 400_000, webhookUrl, progress } = options;
  const story = tellStory(now);
  const clock = { moment: localTime(now, 34, 9, 12), now: () => clock.moment };
  const say = progress ?? (() => undefined);
  await prepareDataDir(dataDir);
  const database = await openDatabase({ dir: dataDir, migrations, clock, faults, log });
  try {
    const file = await openSettingsFile({
      ...{ dir: dataDir, schema: settingsFileSchema, initial: initialSettings, log, clock },
    });
    const tenants = createTenantStore({ file });
    const rules = createRuleStore({ file });
    const cipher = openKeyFileCipher(dataDir);
    const { tenantId, keys } = await moveIn(tenants, createKeys({ tenants, cipher }), story);
    const events = await openEvents({ dataDir, database, clock, faults, log });
    try {
      await refuseSome({ intake: events.intake, tenantId, story, clock });
      const shop = createShop({ story, seed, events: wanted });
      const stems = createIdStems();
      for (let from = story.start; from < now; from += PORTION) {
        say(`events ${Math.round(((from - story.start) / (now - story.start)) * 100)} %`);
        const lines: string[] = [];
        for (let minute = from; minute < Math.min(from + PORTION, now); minute += MINUTE) {
          for (const event of shop.minute(minute)) {
            if (event.at < now) lines.push(journalLine(tenantId, stems, event));
          }
        }
        // However small the shop, the newest is seconds old.
        if (from + PORTION >= now)
          lines.push(journalLine(tenantId, stems, shop.visit(now - 1_800)));
        await ingest(dataDir, events, lines, now);
      }
      await events.flusher.flush();
      await play({
        ...{ story, tenantId, database, events, rules, tenants, cipher, clock, webhookUrl },
        progress: (share) => say(`rules and alerts ${Math.round(share * 100)} %`),
      });
      const uptime = createEvaluatorStore(database);
      for (const span of heard(story, now)) await uptime.keepSpan(span);
    } finally {
      clock.moment = now;
      await events.close();
    }
    await useKeys(tenants, keys, now);
    await database.checkpoint();
    return { tenantId, keys, story };
  } finally {
    await database.close();
  }
}

/** As the journal is moved into the database, a few days at a time. */
async function ingest(dir: string, events: Events, lines: string[], now: number): Promise<void> {
  if (lines.length === 0) return;
  const segment = newSegment(path.join(dir, 'journal'), now);
  await writeFile(segment.file, lines.join(''), { mode: 0o600 });
  await events.store.ingest({ ...segment, events: lines.length, longestLine: 1 << 16 });
  await rm(segment.file);
}

async function moveIn(
  tenants: TenantStore,
  keys: ReturnType<typeof createKeys>,
  { now }: Story,
): Promise<Pick<Filled, 'tenantId' | 'keys'>> {
  const first = localTime(now, 34, 9, 12);
  const { id: tenantId } = await tenants.create(
    newTenant.parse({ name: 'Nordlicht Outdoor' }),
    first,
  );
  const issue = async (input: object, at: number) =>
    (await keys.issue(tenantId, newKey.parse(input), at)).secret;
  const full = await issue({ name: 'Backend', scope: 'full' }, first);
  const ingest = await issue(
    { name: 'Website (GTM)', scope: 'ingest', allowed_domains: [DOMAIN, `*.${DOMAIN}`] },
    localTime(now, 34, 10, 40),
  );
  const read = await issue({ name: 'Reporting', scope: 'read' }, localTime(now, 27, 15, 3));
  await tenants.create(newTenant.parse({ name: 'Nordlicht B2B' }), localTime(now, 12, 14, 26));
  return { tenantId, keys: { full, ingest, read } };
}

/** When each of them was last used. */
async function useKeys(tenants: TenantStore, keys: Filled['keys'], now: number): Promise<void> {
  tenants.findKey(keys.full, now - 21_000);
  tenants.findKey(keys.ingest, now - 2_000);
  tenants.findKey(keys.read, now - 3 * 60 * MINUTE);
  await tenants.saveLastUsed();
}
