import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

// Types, lint and format, in two lanes that take about as long as each other. What was found to be
// good is kept in node_modules/.cache, so the next time only files that changed are looked at. (A
// lint rule that asks for types then misses what a change elsewhere did to them; a fresh clone, and
// so the CI, keeps nothing and looks at all.)

const root = path.join(import.meta.dirname, '..');
const cache = path.join(root, 'node_modules/.cache/check');

const tsc = (name: string, project: string) => [
  ...['tsc', '--noEmit', '-p', project],
  ...['--incremental', '--tsBuildInfoFile', path.join(cache, `${name}.tsbuildinfo`)],
];

const LANES = [
  [
    [
      ...['eslint', '--config', 'build/eslint.config.js', '.'],
      ...['--cache', '--cache-strategy', 'content', '--cache-location', path.join(cache, 'eslint')],
    ],
  ],
  [
    tsc('test', 'test'),
    tsc('program', '.'),
    [
      ...['svelte-check', '--tsconfig', 'ui/tsconfig.json'],
      ...['--fail-on-warnings', '--output', 'human'],
    ],
    [
      ...['prettier', '--check', '--log-level', 'warn', '.'],
      ...[
        '--cache',
        '--cache-strategy',
        'content',
        '--cache-location',
        path.join(cache, 'prettier'),
      ],
    ],
  ],
];

/** Runs a tool of this project; what it says is shown only when it finds something. */
async function finds([tool = '', ...args]: string[]): Promise<boolean> {
  // npm has put the tools of this project first in the path; on Windows they are scripts.
  const shell = process.platform === 'win32';
  const child = spawn(tool, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell });
  const said: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => said.push(piece));
  child.stderr.on('data', (piece: Buffer) => said.push(piece));
  const code = await new Promise((ended, fail) => child.once('close', ended).once('error', fail));
  if (code === 0) return false;
  process.stderr.write(`\n${tool} ${args.join(' ')}\n${Buffer.concat(said).toString()}`);
  return true;
}

mkdirSync(cache, { recursive: true });
const found = await Promise.all(
  LANES.map(async (lane) => {
    let any = false;
    for (const command of lane) any = (await finds(command)) || any;
    return any;
  }),
);
if (found.includes(true)) process.exitCode = 1;
