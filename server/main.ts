import { version } from './appliance.ts';
import { endFailed } from './platform/ending.ts';
import { helpText, readCommand } from './platform/options.ts';
import { serve } from './serve.ts';

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2), process.env);
  if (command.run === 'help') process.stdout.write(`${helpText()}\n`);
  else if (command.run === 'version') process.stdout.write(`${version}\n`);
  else await serve(command.options);
}

main().catch(endFailed);
