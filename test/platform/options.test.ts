import { describe, expect, it } from 'vitest';
import { helpText, readCommand } from '../../server/platform/options.ts';

const options = (args: string[], env: NodeJS.ProcessEnv = {}) => {
  const command = readCommand(args, env);
  if (command.run !== 'start') throw new Error(`not a start: ${command.run}`);
  return command.options;
};

describe('options', () => {
  it('have defaults', () => {
    expect(options(['--data-dir', '/data'])).toEqual({
      dataDir: '/data',
      host: '0.0.0.0',
      port: 8737,
      logLevel: 'info',
    });
  });

  it('are taken from flags and environment alike, and flags win', () => {
    const env = {
      VEDETTE_DATA_DIR: '/env',
      VEDETTE_HOST: '127.0.0.1',
      VEDETTE_PORT: '9000',
      VEDETTE_PUBLIC_URL: 'https://events.example',
      VEDETTE_TRUSTED_PROXIES: '10.0.0.0/8',
      VEDETTE_BACKUP_DIR: '/mnt/backup',
      VEDETTE_RATE_LIMIT_EVENTS: '7',
      VEDETTE_RATE_LIMIT_COLLECT: '8',
      VEDETTE_TAGMANAGER_ENDPOINTS: '{"api":"https://tags.example"}',
      VEDETTE_LOG_LEVEL: 'warn',
      VEDETTE_API_KEY: 'k'.repeat(16),
      VEDETTE_PASSWORD: 'correct horse',
      VEDETTE_START_ANEW: '3f2a91c0',
    };
    expect(options(['--port=9001', '--host', '::1'], env)).toEqual({
      dataDir: '/env',
      host: '::1',
      port: 9001,
      publicUrl: 'https://events.example',
      trustedProxies: '10.0.0.0/8',
      backupDir: '/mnt/backup',
      rateLimitEvents: 7,
      rateLimitCollect: 8,
      tagmanagerEndpoints: '{"api":"https://tags.example"}',
      logLevel: 'warn',
      apiKey: 'k'.repeat(16),
      password: 'correct horse',
      startAnew: '3f2a91c0',
    });
  });

  it('that are empty in the environment count as not given', () => {
    expect(options([], { VEDETTE_PORT: '', VEDETTE_API_KEY: '' })).toMatchObject({ port: 8737 });
  });

  it('that are wrong in the environment do no harm where a flag is given', () => {
    const env = { VEDETTE_PORT: 'bad', VEDETTE_LOG_LEVEL: 'bad' };
    const given = options(['--port', '0', '--log-level', 'warn'], env);
    expect(given).toMatchObject({ port: 0, logLevel: 'warn' });
  });

  it.each([
    [['--prot', '1'], {}, /--prot/],
    [['--port'], {}, /--port/],
    [['extra'], {}, /extra/],
    [['--port', 'abc'], {}, /--port must be a whole number/],
    [['--port', '65536'], {}, /--port must be at most 65535/],
    [['--port', ''], {}, /--port must be a whole number/],
    [['--data-dir', ''], {}, /--data-dir must have at least 1 character/],
    [['--log-level', 'loud'], {}, /--log-level must be one of debug, info/],
    [['--rate-limit-events', '0'], {}, /--rate-limit-events must be at least 1/],
    [[], { VEDETTE_PORT: '-1' }, /VEDETTE_PORT must be a whole number/],
    [[], { VEDETTE_LOG_LEVEL: 'loud' }, /VEDETTE_LOG_LEVEL/],
    [[], { VEDETTE_PORT: '80x' }, /VEDETTE_PORT must be a whole number/],
    [[], { VEDETTE_RATE_LIMIT_COLLECT: '-1' }, /VEDETTE_RATE_LIMIT_COLLECT must be/],
  ])('that are wrong are refused: %j %j', (args, env, message) => {
    expect(() => options(args, env)).toThrow(message);
  });

  it('are all in the help, each with its variable', () => {
    const names = [
      ...['data-dir', 'host', 'port', 'public-url', 'trusted-proxies', 'backup-dir'],
      ...['rate-limit-events', 'rate-limit-collect', 'tagmanager-endpoints'],
      ...['log-level', 'api-key', 'password'],
      'start-anew',
    ];
    const text = helpText();
    for (const name of names) {
      const variable = `VEDETTE_${name.toUpperCase().replaceAll('-', '_')}`;
      expect(text).toMatch(new RegExp(`^ +--${name} .*\\b${variable}\\b`, 'm'));
    }
    const listed = [...text.matchAll(/^ +--([a-z-]+)/gm)].map(([, name]) => name);
    expect(listed).toEqual([...names, 'help', 'version']);
    expect(readCommand(['--help'], {})).toEqual({ run: 'help' });
    expect(readCommand(['-h'], {})).toEqual({ run: 'help' });
    expect(readCommand(['--version'], {})).toEqual({ run: 'version' });
  });
});
