import { expect, it } from 'vitest';
import { startProblems } from '../../server/platform/start-errors.ts';
import type { StartCode } from '../../server/platform/start-errors.ts';

const PROBLEMS = {
  option: startProblems.option('--port must be a whole number'),
  portTaken: startProblems.portTaken('0.0.0.0', 8737),
  portForbidden: startProblems.portForbidden(80),
  hostUnknown: startProblems.hostUnknown('203.0.113.7'),
  dataDirHeld: startProblems.dataDirHeld('/data', '4711'),
  dataDirUnwritable: startProblems.dataDirUnwritable('/data', 'the disk is full'),
  folderUnwritable: startProblems.folderUnwritable('/data/journal', 'it is a file'),
  fileUnreadable: startProblems.fileUnreadable('/data/secret.key', 'permission denied'),
  backupOfAnother: startProblems.backupOfAnother('/data/backup/events.duckdb'),
  fileFailed: startProblems.fileFailed('/data/journal', 'the disk reports an error'),
  databaseNewer: startProblems.databaseNewer('/data/events.duckdb'),
  databaseUnusable: startProblems.databaseUnusable('/data/events.duckdb', 'out of memory'),
  settingsUnreadable: startProblems.settingsUnreadable('/data/settings.json', 'not valid JSON'),
  keyFileDamaged: startProblems.keyFileDamaged('/data/secret.key'),
  settingsMissing: startProblems.settingsMissing('/data', '3f2a91c0'),
  mixedInstallations: startProblems.mixedInstallations('/data', '3f2a91c0', '77aa01be'),
  installationGone: startProblems.installationGone('/data', '3 March 2026', '3f2a91c0'),
  weakApiKey: startProblems.weakApiKey(),
  weakPassword: startProblems.weakPassword(),
} satisfies Record<keyof typeof startProblems, unknown>;

const all = Object.entries(PROBLEMS);
const ADVICE_FOR_WINDOWS_ALONE = ['databaseUnusable', 'weakApiKey', 'weakPassword'];

it.each(all)('what stands in the way of a start stands alone: %s', (_name, { what, advice }) => {
  for (const words of [what, advice]) expect(words).toMatch(/^[A-Z].*\.$/);
  expect(what).not.toContain(advice);
});

it.each(all)(
  'the terminal says what and what to do: %s',
  (name, { message, what, advice, installation }) => {
    if (name === 'option') {
      expect(message).toBe('--port must be a whole number\nSee --help for all options.');
    } else if (ADVICE_FOR_WINDOWS_ALONE.includes(name)) {
      expect(what.replace(/\.$/, '')).toBe(message.replace(/\.$/, ''));
    } else if (installation !== undefined) {
      expect(message.startsWith(`${what} ${advice} `)).toBe(true);
      expect(message).toContain(`--start-anew ${installation}`);
    } else {
      expect(message).toBe(`${what} ${advice}`);
    }
  },
);

it('problems of one kind share a code', () => {
  const codes: StartCode[] = all.map(([, { code }]) => code);
  expect([...new Set(codes)]).toEqual([
    ...['option', 'port', 'address', 'held', 'directory', 'file', 'database', 'settings', 'key'],
    ...['installation', 'disk', 'first-start'],
  ]);
});
