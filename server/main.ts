import { start, version } from './appliance.ts';
import { greeting } from './greeting.ts';
import { prepareDataDir } from './platform/data-dir.ts';
import { endInOrder } from './platform/ending.ts';
import { StartError } from './platform/errors.ts';
import { openLog } from './platform/log.ts';
import { helpText, readCommand } from './platform/options.ts';
import type { Options } from './platform/options.ts';

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2), process.env);
  if (command.run === 'help') say(helpText());
  else if (command.run === 'version') say(version);
  else await serve(command.options);
}

async function serve({ logLevel, ...options }: Options): Promise<void> {
  await prepareDataDir(options.dataDir);
  const { log, close: closeLog } = openLog(options.dataDir, logLevel);
  const appliance = await start({ ...options, log });
  for (const line of greeting({ ...appliance, ...options, version })) say(line);

  endInOrder({
    on: ['SIGTERM', 'SIGINT'],
    close: (signal) => {
      log.info({ signal }, 'Vedette is closing');
      return appliance.close().then(closeLog);
    },
    late: () => log.error('Closing took too long; the journal will be replayed at the next start'),
  });
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().catch((error: unknown) => {
  const known = error instanceof StartError;
  process.stderr.write(
    `vedette: ${known ? error.message : String((error as Error).stack ?? error)}\n`,
  );
  process.exit(known ? 2 : 1);
});
