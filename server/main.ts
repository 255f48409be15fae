import { start, version } from './appliance.ts';
import { greeting } from './greeting.ts';
import { prepareDataDir } from './platform/data-dir.ts';
import { StartError } from './platform/errors.ts';
import { openLog } from './platform/log.ts';
import { helpText, readCommand } from './platform/options.ts';
import type { Options } from './platform/options.ts';

const CLOSE_WITHIN_MS = 4_500;

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

  let closing = false;
  const end = (signal: string) => {
    // A second signal means: now.
    if (closing) process.exit(1);
    closing = true;
    log.info({ signal }, 'Vedette is closing');
    const late = setTimeout(() => {
      log.error('Closing took too long; the journal will be replayed at the next start');
      process.exit(1);
    }, CLOSE_WITHIN_MS);
    void appliance
      .close()
      .then(closeLog)
      .then(() => {
        clearTimeout(late);
        process.exit(0);
      });
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
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
