/** Every error that ends a start: its words, and nothing else. */

/** What stands in the way of a start, for those who do more than print the words. */
export type StartCode =
  | 'option'
  | 'port'
  | 'address'
  | 'held'
  | 'directory'
  | 'file'
  | 'database'
  | 'settings'
  | 'key'
  | 'installation'
  | 'disk'
  | 'first-start';

interface StartProblem {
  code: StartCode;
  /** A sentence that can stand alone in a window. */
  what: string;
  advice: string;
  /** What the terminal says, where that is not the two in a row. */
  message?: string;
  /** The installation that can be left behind: what `--start-anew` must say. */
  installation?: string;
}

export class StartError extends Error {
  readonly code: StartCode;
  readonly what: string;
  readonly advice: string;
  readonly installation: string | undefined;

  constructor({ code, what, advice, installation, ...more }: StartProblem) {
    super(more.message ?? `${what} ${advice}`);
    this.installation = installation;
    this.code = code;
    this.what = what;
    this.advice = advice;
  }
}

const WEAK_KEY =
  'The API key for the first start must have 16 to 200 printable ASCII characters, no spaces.';
const WEAK_PASSWORD = 'The password for the first start must have 10 to 200 characters.';

/** With the way that is always open. A window has a button for it. */
function ofInstallation(problem: Omit<StartProblem, 'message'>): StartError {
  const { installation, what, advice } = problem;
  const anew =
    `Or begin a new installation with --start-anew ${installation}: ` +
    'what remains of the old one is moved into set-aside, and nothing is deleted.';
  const message = `${what} ${advice} ${anew}`;
  return new StartError({ ...problem, message });
}

export const startProblems = {
  option: (detail: string) =>
    new StartError({
      code: 'option',
      what: `A start option is wrong: ${detail.replace(/\.$/, '')}.`,
      advice: 'See --help for all options.',
      message: `${detail}\nSee --help for all options.`,
    }),
  portTaken: (host: string, port: number) =>
    new StartError({
      code: 'port',
      what: `Port ${port} on ${host} is taken by another program.`,
      advice: 'Choose another with --port.',
    }),
  portForbidden: (port: number) =>
    new StartError({
      code: 'port',
      what: `Port ${port} may not be used by this account.`,
      advice: 'Choose one above 1023 with --port.',
    }),
  hostUnknown: (host: string) =>
    new StartError({
      code: 'address',
      what: `The address ${host} is not one of this machine.`,
      advice: 'Choose another with --host.',
    }),
  dataDirHeld: (dir: string, holder?: string) =>
    new StartError({
      code: 'held',
      what: `The data directory ${dir} is in use by another Vedette${holder ? ` (${holder})` : ''}.`,
      advice: 'Close it, or choose another directory with --data-dir.',
    }),
  dataDirUnwritable: (dir: string, why: string) =>
    new StartError({
      code: 'directory',
      what: `The data directory ${dir} cannot be written: ${why}.`,
      advice: 'Choose another with --data-dir.',
    }),
  folderUnwritable: (folder: string, why: string) =>
    new StartError({
      code: 'directory',
      what: `Vedette cannot write to ${folder}: ${why}.`,
      advice:
        'Make sure that the disk has room and that this account can write there, then start again.',
    }),
  fileUnreadable: (file: string, why: string) =>
    new StartError({
      code: 'file',
      what: `The file ${file} cannot be read: ${why}.`,
      advice:
        'It was left as it is. Make sure that the disk works and that this account can read it, then start again.',
    }),
  fileFailed: (file: string, why: string) =>
    new StartError({
      code: 'file',
      what: `Vedette cannot use ${file}: ${why.charAt(0).toLowerCase()}${why.slice(1)}.`,
      advice: 'Nothing was set aside. See that the disk works and has room, then start again.',
    }),
  databaseNewer: (file: string) =>
    new StartError({
      code: 'database',
      what: `The database ${file} was written by a newer Vedette.`,
      advice: 'Install that version.',
    }),
  databaseUnusable: (file: string, why: string) =>
    new StartError({
      code: 'database',
      what: `The database ${file} cannot be opened: ${why.replace(/\.$/, '')}.`,
      advice: 'It was left as it is. Start again, after a restart of the machine if need be.',
      message: `The database ${file} cannot be opened: ${why}`,
    }),
  settingsUnreadable: (file: string, why?: string) =>
    new StartError({
      code: 'settings',
      what:
        `The settings in ${file} cannot be read${why ? ` (${why})` : ''} ` +
        'and there is no good copy beside them.',
      advice: 'They were left as they are; put a good copy in their place and start again.',
    }),
  keyFileDamaged: (file: string) =>
    new StartError({
      code: 'key',
      what: `The key file ${file} is damaged, and stored secrets cannot be read without it.`,
      advice: 'Put a copy of it back; or move it away, and rotate the API keys afterwards.',
    }),
  settingsMissing: (dir: string, installation: string) =>
    ofInstallation({
      ...{ code: 'installation', installation },
      what: `The settings of the installation in ${dir} are missing.`,
      advice: 'Put settings.json or settings.last-good.json back, then start again.',
    }),
  mixedInstallations: (dir: string, settings: string, database: string) =>
    ofInstallation({
      ...{ code: 'installation', installation: settings },
      what:
        `The data directory ${dir} has the settings of one installation (${settings}) and the ` +
        `database of another (${database}).`,
      advice: 'Put back the files that belong together, then start again.',
    }),
  backupOfAnother: (backup: string) =>
    new StartError({
      code: 'database',
      what: `The database is damaged or missing, and ${backup} is the backup of another installation.`,
      advice: 'Nothing was changed. Put the right backup in its place and start again.',
    }),
  installationGone: (dir: string, since: string, installation: string) =>
    ofInstallation({
      ...{ code: 'disk', installation },
      what: `The data directory ${dir} held an installation on ${since}, but holds none now.`,
      advice: 'If it is on a separate disk, mount that disk, then start again.',
    }),
  weakApiKey: () =>
    new StartError({
      code: 'first-start',
      what: WEAK_KEY,
      advice: 'Give another one, or none: then Vedette makes one.',
      message: WEAK_KEY,
    }),
  weakPassword: () =>
    new StartError({
      code: 'first-start',
      what: WEAK_PASSWORD,
      advice: 'Give a longer one, or none: it can be set in the dashboard.',
      message: WEAK_PASSWORD,
    }),
};
