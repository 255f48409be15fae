import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startProblems } from './start-errors.ts';
import { fieldErrors } from './validation.ts';

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max));

/** Every option: its check, its word for the value, and its line in --help. */
const OPTIONS = {
  'data-dir': { value: z.string().min(1), word: 'DIR', help: 'where everything is kept' },
  host: {
    value: z.string().min(1),
    word: 'ADDRESS',
    help: 'address to listen on (default 0.0.0.0, all of them)',
  },
  port: { value: whole(0, 65_535), word: 'N', help: 'port to listen on (default 8737)' },
  'public-url': {
    value: z.string(),
    word: 'URL',
    help: 'the https name that browsers outside reach it by',
  },
  'trusted-proxies': {
    value: z.string(),
    word: 'LIST',
    help: 'whose X-Forwarded-For counts, with commas (default 127.0.0.0/8,::1)',
  },
  'backup-dir': {
    value: z.string().min(1),
    word: 'DIR',
    help: 'where the daily backup goes (default backup/ in the data directory)',
  },
  'rate-limit-events': {
    value: whole(1, 1_000_000),
    word: 'N',
    help: 'POST requests a minute and key (default 1000)',
  },
  'rate-limit-collect': {
    value: whole(1, 1_000_000),
    word: 'N',
    help: 'pixel requests a minute and key (default 2000)',
  },
  'tagmanager-endpoints': {
    value: z.string(),
    word: 'JSON',
    help: 'other addresses than those of Google: api, authorize, token, revoke',
  },
  'log-level': {
    value: z.enum(['debug', 'info', 'warn', 'error', 'silent']),
    word: 'LEVEL',
    help: 'debug, info, warn, error or silent (default info)',
  },
  'api-key': {
    value: z.string(),
    word: 'KEY',
    help: 'very first start only: the full API key to make',
  },
  password: {
    value: z.string(),
    word: 'TEXT',
    help: 'very first start only: the password of the dashboard',
  },
  'start-anew': {
    value: z.string(),
    word: 'NAME',
    help: 'if this installation is refused, set it aside and begin a new one',
  },
} as const;

type Name = keyof typeof OPTIONS;

export interface Options {
  dataDir: string;
  host: string;
  port: number;
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  publicUrl?: string;
  trustedProxies?: string;
  backupDir?: string;
  rateLimitEvents?: number;
  rateLimitCollect?: number;
  tagmanagerEndpoints?: string;
  apiKey?: string;
  password?: string;
  startAnew?: string;
}

export type Command = { run: 'start'; options: Options } | { run: 'help' } | { run: 'version' };

/** Flags win over the environment. A wrong one is an error, never a silent default. */
export function readCommand(args: string[], env: NodeJS.ProcessEnv): Command {
  const flags = parsed(args);
  if (flags['help']) return { run: 'help' };
  if (flags['version']) return { run: 'version' };

  const given: Partial<Record<Name, unknown>> = {};
  for (const [name, { value }] of Object.entries(OPTIONS) as [Name, { value: z.ZodType }][]) {
    const flag = flags[name];
    const text = typeof flag === 'string' ? flag : env[variable(name)];
    if (text === undefined || (flag === undefined && text === '')) continue;
    const judged = value.safeParse(text);
    if (!judged.success) {
      const wrong = fieldErrors(judged.error.issues)[0]?.message ?? 'is not valid';
      throw startProblems.option(`${flag === undefined ? variable(name) : `--${name}`} ${wrong}`);
    }
    given[name] = judged.data;
  }
  const backupDir = given['backup-dir'] as string | undefined;
  return {
    run: 'start',
    options: {
      dataDir: path.resolve((given['data-dir'] as string | undefined) ?? usualDataDir(env)),
      host: (given.host as string | undefined) ?? '0.0.0.0',
      port: (given.port as number | undefined) ?? 8737,
      logLevel: (given['log-level'] as Options['logLevel'] | undefined) ?? 'info',
      ...optional('publicUrl', given['public-url'] as string | undefined),
      ...optional('trustedProxies', given['trusted-proxies'] as string | undefined),
      ...optional('backupDir', backupDir && path.resolve(backupDir)),
      ...optional('rateLimitEvents', given['rate-limit-events'] as number | undefined),
      ...optional('rateLimitCollect', given['rate-limit-collect'] as number | undefined),
      ...optional('tagmanagerEndpoints', given['tagmanager-endpoints'] as string | undefined),
      ...optional('apiKey', given['api-key'] as string | undefined),
      ...optional('password', given.password as string | undefined),
      ...optional('startAnew', given['start-anew'] as string | undefined),
    },
  };
}

export function helpText(command = 'npm run serve'): string {
  const rows = Object.entries(OPTIONS).map(([name, { word, help }]) => [
    `--${name} ${word}`,
    variable(name as Name),
    help,
  ]);
  rows.push(['--help', '', 'this list'], ['--version', '', 'the version']);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const lines = rows.map(
    ([flag = '', env = '', help = '']) =>
      `  ${flag.padEnd(widths[0] ?? 0)}  ${env.padEnd(widths[1] ?? 0)}  ${help}`,
  );
  return [
    'Vedette watches analytics events for tracking faults.',
    '',
    `Usage: ${command} -- [options]     Each option can also be an environment variable.`,
    '',
    ...lines,
    '',
    `Data is kept in ${usualDataDir(process.env)} unless --data-dir says otherwise.`,
  ].join('\n');
}

function parsed(args: string[]): Record<string, string | boolean | undefined> {
  const names = Object.keys(OPTIONS).map((name) => [name, { type: 'string' as const }]);
  const options = {
    ...(Object.fromEntries(names) as Record<string, { type: 'string' }>),
    help: { type: 'boolean' as const, short: 'h' },
    version: { type: 'boolean' as const },
  };
  try {
    return parseArgs({ args, options, allowPositionals: false }).values;
  } catch (error) {
    throw startProblems.option((error as Error).message.split('. ')[0] ?? 'Wrong option');
  }
}

function variable(name: Name): string {
  return `VEDETTE_${name.toUpperCase().replaceAll('-', '_')}`;
}

function usualDataDir(env: NodeJS.ProcessEnv): string {
  const home = os.homedir();
  switch (process.platform) {
    case 'win32':
      return path.join(env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'Vedette');
    case 'darwin':
      return path.join(home, 'Library', 'Application Support', 'Vedette');
    default:
      return path.join(env['XDG_DATA_HOME'] ?? path.join(home, '.local', 'share'), 'vedette');
  }
}

function optional<K extends keyof Options>(
  key: K,
  value: Options[K] | undefined,
): Partial<Options> {
  return value === undefined ? {} : { [key]: value };
}
