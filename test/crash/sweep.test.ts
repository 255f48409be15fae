import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { StartError } from '../../server/platform/start-errors.ts';
import { startAppliance } from '../helpers/appliance.ts';
import type { TestAppliance } from '../helpers/appliance.ts';
import { lostChanges } from '../helpers/changes.ts';
import { NO_FAULTS } from '../helpers/ledger.ts';
import { createRandom } from '../helpers/random.ts';
import type { Random } from '../helpers/random.ts';
import { rounds } from '../helpers/soak.ts';
import { sharedDir } from '../helpers/temp-dir.ts';
import { signIn } from '../helpers/tenant.ts';
import { held } from '../helpers/traffic.ts';
import { copyOf, killedDataDir } from '../helpers/wreck.ts';

/** The table of README.md: what a start comes to when a file of the data directory is damaged. */
const DAMAGES = {
  truncated: (bytes: Buffer, random: Random) =>
    bytes.subarray(0, random.whole(1, bytes.length - 1)),
  zeroed: (bytes: Buffer) => Buffer.alloc(bytes.length),
  removed: () => undefined,
  /** One bit of a byte in the `part`th of ten parts. */
  flipped(bytes: Buffer, random: Random, part: number) {
    const flipped = Buffer.from(bytes);
    const at = Math.min(
      bytes.length - 1,
      Math.floor((bytes.length * part) / PLACES) + random.whole(0, bytes.length / PLACES),
    );
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << random.whole(0, 7)), at);
    return flipped;
  },
};
const PLACES = 10;
/** How often each is tried, where the place is drawn by lot. */
const TIMES = { truncated: rounds(1, 10), zeroed: 1, removed: 1, flipped: rounds(2, 5 * PLACES) };

type Damage = keyof typeof DAMAGES;

/** What may come of it: what is lost, and whether the owner is told; or the start is refused. */
const NOTHING = 'loses nothing';
const NOTHING_BUT_SAID = 'loses nothing, and says what happened';
const REFUSED = 'does not start, and says why';
const UNANSWERED = 'starts, and cannot answer all requests';
const FAILED = 'does not start, WITHOUT A WORD';
const lost = (...what: ('events' | 'alerts' | 'rules' | 'secrets')[]) =>
  `loses ${what.join(', ')}, and says so`;
const lostSilently = (...what: ('events' | 'alerts' | 'rules' | 'secrets')[]) =>
  `loses ${what.join(', ')} WITHOUT A WORD`;

const HARMLESS = {
  truncated: [NOTHING],
  zeroed: [NOTHING],
  removed: [NOTHING],
  flipped: [NOTHING],
};

const ROWS: [string, Record<Damage, string[]>][] = [
  [
    'events.duckdb',
    {
      truncated: [lost('alerts')],
      zeroed: [lost('alerts')],
      removed: [lost('alerts')],
      flipped: [NOTHING, NOTHING_BUT_SAID, lost('alerts')],
    },
  ],
  [
    'events.duckdb.wal',
    {
      truncated: [NOTHING, lost('alerts')],
      zeroed: [lost('alerts')],
      removed: [lost('alerts')],
      flipped: [NOTHING, lost('alerts')],
    },
  ],
  [
    'journal/*.ndjson',
    {
      truncated: [lost('events')],
      zeroed: [lost('events')],
      removed: [lost('events')],
      flipped: [NOTHING, lost('events')],
    },
  ],
  ['journal/list', { ...HARMLESS, removed: [NOTHING_BUT_SAID] }],
  ['journal/kept/*.ndjson*', HARMLESS],
  ['journal/kept/list', HARMLESS],
  ['backup/events.duckdb', HARMLESS],
  ['backup/settings.json', HARMLESS],
  [
    'settings.json',
    {
      truncated: [lost('rules')],
      zeroed: [lost('rules')],
      removed: [lost('rules')],
      flipped: [NOTHING, lost('rules'), lost('secrets'), REFUSED],
    },
  ],
  ['settings.last-good.json', HARMLESS],
  [
    'secret.key',
    {
      truncated: [REFUSED],
      zeroed: [lost('secrets')],
      removed: [lost('secrets')],
      flipped: [lost('secrets')],
    },
  ],
];

/** What falls short of the table. Each goes with what mends it. */
const SHORT: Record<string, string[]> = {
  // DuckDB takes the first transaction that is cut or unreadable for the end of its log.
  'events.duckdb.wal, truncated': [lostSilently('alerts')],
  'events.duckdb.wal, flipped': [lostSilently('alerts')],
  // The segment that was being written at a kill: a power cut during its first write looks the same.
  'journal/*.ndjson, truncated': [NOTHING, lostSilently('events')],
  'journal/*.ndjson, zeroed': [lostSilently('events')],
  // JSON that is still JSON: an id or a hash is another.
  'settings.json, flipped': [lostSilently('rules'), lostSilently('secrets'), UNANSWERED],
};

const template = sharedDir();
let making: ReturnType<typeof killedDataDir> | undefined;

/** The newest of those with such a name. */
function fileOf(dataDir: string, pattern: string): string {
  const name = globSync(pattern, { cwd: dataDir }).sort().at(-1);
  if (name === undefined) throw new Error(`There is no ${pattern}`);
  return path.join(dataDir, name);
}

/** Whether the secret of the first key can still be read. */
async function readsSecrets(appliance: TestAppliance): Promise<boolean> {
  const { ask } = await signIn(appliance);
  const [key] = (await ask('GET', '/keys')).json<{ id: string }[]>();
  return ask('GET', `/keys/${key?.id}/secret`).then(
    () => true,
    () => false,
  );
}

/** What a start comes to, in the words of the table. */
async function comesTo(dataDir: string, made: Awaited<ReturnType<typeof killedDataDir>>) {
  const started = await startAppliance({ dataDir }).catch((error: unknown) =>
    error instanceof StartError ? REFUSED : FAILED,
  );
  if (typeof started === 'string') return started;
  await using appliance = started;
  const { url, notices } = appliance;
  const answers = await Promise.all([
    held(url, made.ledger),
    lostChanges(url, made.changes),
    readsSecrets(appliance),
  ]).catch(() => undefined);
  if (answers === undefined) return UNANSWERED;

  const [{ faults, countsAgree }, changes, secretsRead] = answers;
  expect({ countsAgree, sharedIds: faults.sharedIds }).toEqual({ countsAgree: true, sharedIds: 0 });
  const isGone = {
    // One that is not what was sent is lost too.
    events: !isDeepStrictEqual(faults, NO_FAULTS),
    alerts: changes.some(({ kind }) => kind === 'alert'),
    rules: changes.some(({ kind }) => kind === 'rule'),
    secrets: !secretsRead,
  };
  const gone = (Object.keys(isGone) as (keyof typeof isGone)[]).filter((one) => isGone[one]);
  const isSaid = notices.length > 0;
  if (gone.length === 0) return isSaid ? NOTHING_BUT_SAID : NOTHING;
  return isSaid ? lost(...gone) : lostSilently(...gone);
}

const CASES = ROWS.flatMap(([file, damages]) =>
  (Object.entries(damages) as [Damage, string[]][]).map(([damage, promised]) => {
    const outcomes = [...promised, ...(SHORT[`${file}, ${damage}`] ?? [])];
    return [file, damage, outcomes.join('; or ')] as const;
  }),
);

test.for(CASES)('%s, %s: %s', async ([file, damage, outcomes]) => {
  making ??= killedDataDir(template, { hasBackup: true });
  const made = await making;
  const random = createRandom();
  const found = new Set<string>();
  for (let time = 0; time < TIMES[damage]; time++) {
    const dataDir = copyOf(template);
    const target = fileOf(dataDir, file);
    // In `npm test` the first and the last place.
    const place = rounds(time * (PLACES - 1), time) % PLACES;
    const after = DAMAGES[damage](readFileSync(target), random, place);
    if (after === undefined) rmSync(target);
    else writeFileSync(target, after);
    found.add(await comesTo(dataDir, made));
  }
  const others = [...found].filter((one) => !outcomes.split('; or ').includes(one));
  expect(others, `seed ${random.seed}`).toEqual([]);
});
