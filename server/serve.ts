import { start, version } from './appliance.ts';
import type { Appliance } from './appliance.ts';
import { greeting } from './greeting.ts';
import { prepareDataDir } from './platform/data-dir.ts';
import { mustNotBeGone, rememberPlace } from './platform/known-places.ts';
import { endInOrder } from './platform/ending.ts';
import { openLog } from './platform/log.ts';
import type { Options } from './platform/options.ts';

/** The appliance without a window: greets on the terminal and ends in order at a signal. */
export async function serve({ logLevel, ...options }: Options): Promise<Appliance> {
  mustNotBeGone(options);
  await prepareDataDir(options.dataDir);
  const { log, close: closeLog } = openLog(options.dataDir, logLevel);
  const appliance = await start({ ...options, log });
  await rememberPlace(options.dataDir, appliance.installation, Date.now());
  for (const line of greeting({ ...appliance, ...options, version })) {
    process.stdout.write(`${line}\n`);
  }
  endInOrder({
    on: ['SIGTERM', 'SIGINT'],
    close: (signal) => {
      log.info({ signal }, 'Vedette is closing');
      return appliance.close().then(closeLog);
    },
    late: () => log.error('Closing took too long; the journal will be replayed at the next start'),
  });
  return appliance;
}
