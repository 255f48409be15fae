import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { createRandom } from '../helpers/random.ts';

/*
 * How much the tests notice: breaks one line of the server at a time and counts how often a test
 * fails. `node test/bench/mutants.ts --seed 15` takes the same lines each time, as long as the
 * server is the same; `--list` only shows them. It works in a copy of the checkout.
 */

const ROOT = path.join(import.meta.dirname, '../..');

/** Folders of the server, and the tests that are asked first. */
const AREAS: Record<string, { code: string[]; tests: string[] }> = {
  events: { code: ['events'], tests: ['events/'] },
  verdicts: { code: ['rules', 'evaluator'], tests: ['rules/', 'evaluator/'] },
  alerts: { code: ['alerts', 'webhooks'], tests: ['alerts/', 'webhooks/'] },
  tagmanager: { code: ['tagmanager'], tests: ['tagmanager/'] },
};
/** Who is asked about what those let through, all of it together. */
const OTHERS = [
  ['events/', 'rules/', 'evaluator/', 'alerts/', 'webhooks/', 'tagmanager/', 'http/', 'session/'],
  ['crash/', 'process/', 'demo/', 'settings/', 'e2e/', 'electron/', 'bench/'],
];

/** A broken line can keep a program from ending, which is noticed as well. */
const LONGEST_MS = 20 * 60_000;

interface Mutant {
  area: string;
  file: string;
  line: number;
  from: number;
  to: number;
  text: string;
  what: string;
}

const FLIPPED = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
]);

/** Every place in a file where something can be broken: a comparison, a call, a whole number. */
function mutantsOf(area: string, file: string): Mutant[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: Mutant[] = [];
  const add = (node: ts.Node, text: string) => {
    const [from, to] = [node.getStart(source), node.getEnd()];
    const line = source.getLineAndCharacterOfPosition(from).line + 1;
    const what = `${source.text.slice(from, to).split('\n')[0]} -> ${text}`;
    found.push({ area, file, line, from, to, text, what });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node)) {
      const flipped = FLIPPED.get(node.operatorToken.kind);
      if (flipped) add(node.operatorToken, flipped);
    }
    if (ts.isExpressionStatement(node)) {
      const inner = ts.isAwaitExpression(node.expression)
        ? node.expression.expression
        : node.expression;
      if (ts.isCallExpression(inner)) add(node.expression, 'void 0');
    }
    if (ts.isNumericLiteral(node) && /^\d[\d_]*$/.test(node.text)) {
      add(node, String(Number(node.text) + 1));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function filesOf(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(folder, name))
    .sort();
}

/** So many of each area, at most one on a line. */
function choose(seed: number, each: number): Mutant[] {
  const random = createRandom(seed);
  return Object.entries(AREAS).flatMap(([area, { code }]) => {
    const all = code
      .flatMap((folder) => filesOf(path.join('server', folder)))
      .flatMap((file) => mutantsOf(area, file));
    const chosen = new Map<string, Mutant>();
    while (chosen.size < Math.min(each, all.length)) {
      const one = all[random.whole(0, all.length - 1)] as Mutant;
      const place = `${one.file}:${one.line}`;
      if (!chosen.has(place)) chosen.set(place, one);
    }
    return [...chosen.values()];
  });
}

/** A copy of the checkout in which lines can be broken. */
function workbench(root: string) {
  const dir = mkdtempSync(path.join(tmpdir(), 'vedette-mutants-'));
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
  cpSync(root, dir, {
    recursive: true,
    filter: (from) => !/\/(node_modules|\.git|build\/dist)$/.test(from),
  });
  symlinkSync(path.join(root, 'node_modules'), path.join(dir, 'node_modules'));
  return {
    break(mutants: readonly Mutant[]): void {
      // From the end of each file, so that the places before stay where they are.
      for (const { file, from, to, text } of mutants.toSorted((a, b) => b.from - a.from)) {
        const place = path.join(dir, file);
        const code = readFileSync(place, 'utf8');
        writeFileSync(place, code.slice(0, from) + text + code.slice(to));
      }
    },
    mend(mutants: readonly Mutant[]): void {
      for (const { file } of mutants) cpSync(path.join(root, file), path.join(dir, file));
    },
    /** The name of a test that fails, if one of these does. */
    async failing(tests: readonly string[]): Promise<string | undefined> {
      const vitest = path.join(dir, 'node_modules/vitest/vitest.mjs');
      const config = path.join(dir, 'test/vitest.config.ts');
      const run = spawn(
        process.execPath,
        [vitest, 'run', '--config', config, '--bail=1', '--reporter=dot', ...tests],
        // In a group of its own, so that workers that do not end can be ended as well.
        { cwd: dir, detached: true, env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' } },
      );
      const limit = setTimeout(() => process.kill(-Number(run.pid), 'SIGKILL'), LONGEST_MS);
      const ended = once(run, 'close') as Promise<[number | null]>;
      const said = (await Promise.all([text(run.stdout), text(run.stderr)])).join('');
      const [code] = await ended;
      clearTimeout(limit);
      if (code === 0) return undefined;
      return /FAIL +(.+)/.exec(said)?.[1] ?? (code === null ? 'not coming to an end' : 'an error');
    },
  };
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '15' },
    each: { type: 'string', default: '10' },
    /** The checkout whose tests are tried; this one unless given. */
    root: { type: 'string', default: ROOT },
    list: { type: 'boolean', default: false },
  },
});
const mutants = choose(Number(values.seed), Number(values.each));
const say = (text: string) => process.stdout.write(`${text}\n`);
const nameOf = ({ file, line, what }: Mutant) => `${file}:${line}  ${what}`;

if (values.list) {
  mutants.forEach((mutant) => say(nameOf(mutant)));
} else {
  const bench = workbench(values.root);
  const trial = async (broken: readonly Mutant[], tests: readonly string[]) => {
    bench.break(broken);
    const found = await bench.failing(tests);
    bench.mend(broken);
    return found;
  };
  let survivors: Mutant[] = [];
  for (const mutant of mutants) {
    if (!(await isCaught(mutant, AREAS[mutant.area]?.tests ?? []))) survivors.push(mutant);
  }
  for (const tests of OTHERS) survivors = await together(survivors, tests);
  survivors.forEach((mutant) => say(`survived  ${nameOf(mutant)}`));
  say(`${mutants.length - survivors.length} of ${mutants.length} caught`);

  async function isCaught(mutant: Mutant, tests: readonly string[]): Promise<boolean> {
    const found = await trial([mutant], tests);
    if (found !== undefined) say(`caught    ${nameOf(mutant)}\n          by ${found}`);
    return found !== undefined;
  }

  /** Those that get through; halves what is caught until it is known which it was. */
  async function together(among: Mutant[], tests: readonly string[]): Promise<Mutant[]> {
    const [only] = among;
    if (only === undefined) return [];
    if (among.length === 1) return (await isCaught(only, tests)) ? [] : among;
    if ((await trial(among, tests)) === undefined) return among;
    const half = among.length >> 1;
    const first = await together(among.slice(0, half), tests);
    return [...first, ...(await together(among.slice(half), tests))];
  }
}
