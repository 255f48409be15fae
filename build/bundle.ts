import path from 'node:path';
import { rolldown } from 'rolldown';
import type { InputOptions, OutputOptions, Plugin } from 'rolldown';

// Turns the sources into what Electron runs: its own Node takes no TypeScript, and a program that
// is one file starts sooner than one that is two thousand.

const root = path.join(import.meta.dirname, '..');

/** The oldest Electron that it is tried in embeds Node 20. */
const TARGET = 'node20.18';

/** What is not part of the bundle: Electron itself, and the database's native library. */
export const EXTERNAL = [/^electron$/, /^@duckdb\/node-bindings-/];

/** Where the bundle lies, in a name that nothing else has. */
const BESIDE = '__vedetteBundleFolder';

export async function bundleMain(entry: string, file: string): Promise<void> {
  await bundle(
    { input: entry, external: EXTERNAL, plugins: [sameNeighbours(path.dirname(entry))] },
    { file, format: 'esm', intro: `const ${BESIDE} = import.meta.dirname;` },
  );
}

export async function bundlePreload(entry: string, file: string): Promise<void> {
  await bundle({ input: entry, external: ['electron'] }, { file, format: 'cjs' });
}

async function bundle(input: InputOptions, output: OutputOptions): Promise<void> {
  const build = await rolldown({
    ...input,
    platform: 'node',
    tsconfig: path.join(root, 'tsconfig.json'),
    transform: { target: TARGET },
    onLog(level, log) {
      // A package that could not be found would be missed only when somebody runs it.
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      if (level === 'warn' && !(log.id ?? '').includes('node_modules')) {
        process.stderr.write(`${log.message}\n`);
      }
    },
  });
  try {
    // Not minified: traces in the log keep their names, and it would load no faster.
    await build.write({ ...output, codeSplitting: false, comments: { legal: true } });
  } finally {
    await build.close();
  }
}

/**
 * Sources of the server name files by their own place (`../package.json`, `../ui/dist`); they find
 * them from the bundle as well. Packages that read files beside themselves find them beside it.
 */
function sameNeighbours(shell: string): Plugin {
  const server = path.join(root, 'server') + path.sep;
  return {
    name: 'same-neighbours',
    transform(code, id) {
      if (id.startsWith(server) && code.includes('import.meta.')) {
        if (/import\.meta\.(?!url)/.test(code))
          throw new Error(`${id} may use import.meta.url only`);
        const place = slashed(path.relative(path.join(shell, 'dist'), id));
        return code.replaceAll('import.meta.url', `new URL('${place}', import.meta.url)`);
      }
      const inPackage = id.split(/node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+[\\/]/).at(-1);
      if (inPackage === id || inPackage === undefined || !/\b__(dir|file)name\b/.test(code)) return;
      const file = slashed(inPackage);
      return code
        .replaceAll('__dirname', `(${BESIDE} + '/${path.posix.dirname(file)}')`)
        .replaceAll('__filename', `(${BESIDE} + '/${file}')`);
    },
  };
}

const slashed = (file: string) => file.split(path.sep).join('/');
