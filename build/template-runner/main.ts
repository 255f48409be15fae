import { readFileSync } from 'node:fs';
import { runInWorker } from './in-worker.ts';
import { permissionFaults } from './permission-faults.ts';
import type { Outcome } from './run.ts';
import { readTemplate, UnreadableTemplate, type Template } from './template-file.ts';

const USAGE = `Usage: npm run -s template:test -- FILE.tpl

Runs the tests of a tag manager's web template and checks its permissions.
Exit code: 0 all passed, 1 something failed, 2 the file cannot be read.
`;

// What a template says must not steer the terminal.
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;
const shownAs = (sign: string) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`;

const print = (text: string) => void process.stdout.write(text.replace(CONTROL, shownAs));

function stop(message: string): never {
  process.stderr.write(message);
  process.exit(2);
}

function read(file: string): Template {
  try {
    return readTemplate(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof UnreadableTemplate) stop(`${file} cannot be read. ${error.message}\n`);
    const { code = '' } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EACCES: 'it may not be read',
      EISDIR: 'it is a directory',
      ENOENT: 'there is no such file',
    };
    stop(`${file} cannot be read: ${reasons[code] ?? String(error)}.\n`);
  }
}

const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);

function printOutcome({ name, failure, logged }: Outcome): void {
  const title = name.replaceAll('\n', ' ');
  if (failure === undefined) {
    print(`passed  ${title}\n`);
    return;
  }
  print(`FAILED  ${title}: ${indented(failure, '        ')}\n`);
  // What a scenario says is of use only to find out why it failed.
  for (const line of logged) print(`        console: ${indented(line, '        ')}\n`);
}

const [file, ...rest] = process.argv.slice(2);
if (file === '--help' || file === '-h') {
  print(USAGE);
} else {
  if (file === undefined || rest.length > 0 || file.startsWith('-')) stop(USAGE);
  const template = read(file);
  const ran = await runInWorker(template);
  const seen = ran.flatMap(({ required }) => required ?? []);
  const faults = permissionFaults(template, seen).map((failure) => ({
    name: 'permissions',
    failure,
    logged: [],
  }));
  const outcomes: Outcome[] = [...ran, ...faults];
  if (template.scenarios.length === 0) print('It has no tests.\n');
  outcomes.forEach(printOutcome);
  const failed = outcomes.filter(({ failure }) => failure !== undefined).length;
  print(`${outcomes.length - failed} passed, ${failed} failed\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}
