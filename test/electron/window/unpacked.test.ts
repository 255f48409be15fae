import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { beforeAll, expect, test } from 'vitest';
import { electronDist } from '../../helpers/desktop/runtime.ts';
import { desktopSuite } from '../../helpers/desktop/suite.ts';
import { packedFiles, unpackedProgram } from '../../helpers/unpacked.ts';

const MB = 1_000_000;

let program = '';
let packed: string[] = [];

const sizeOf = (file: string): number =>
  statSync(file).isDirectory()
    ? readdirSync(file).reduce((sum, name) => sum + sizeOf(path.join(file, name)), 0)
    : statSync(file).size;

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();

desktopSuite('what would be installed', () => {
  beforeAll(async () => {
    program = await unpackedProgram(electronDist() ?? '');
    packed = packedFiles(path.join(program, 'resources/app.asar'));
  });

  test('is the bundle, the dashboard, the tag manager’s template and a name, and nothing else of ours', () => {
    const folders = packed.filter((file) => !/\/(icons|static|assets)\//.test(file));
    expect(folders.sort()).toEqual([
      '/electron',
      '/electron/dist',
      ...['icons', 'main.js', 'preload.cjs', 'static'].map((name) => `/electron/dist/${name}`),
      '/package.json',
      '/server',
      '/server/tagmanager',
      '/server/tagmanager/template.tpl',
      '/ui',
      '/ui/dist',
      ...['assets', 'icon.svg', 'icon.svg.gz', 'index.html', 'theme.js', 'theme.js.gz'].map(
        (name) => `/ui/dist/${name}`,
      ),
    ]);
    expect(packed.filter((file) => /\.(ts|svelte|map)$/.test(file))).toEqual([]);
  });

  test('has only the database’s library outside of the archive, and no script', () => {
    const resources = path.join(program, 'resources');
    expect(readdirSync(resources).sort()).toEqual(['app.asar', 'licences.txt', 'node_modules']);
    const name = `node-bindings-linux-${process.arch}`;
    expect(filesIn(path.join(resources, 'node_modules'))).toEqual(
      ['LICENSE', 'duckdb.node', 'libduckdb.so', 'package.json'].map(
        (file) => `@duckdb/${name}/${file}`,
      ),
    );
    expect(packed.filter((file) => file.includes('node_modules'))).toEqual([]);
  });

  test('adds less than 90 MB to Electron', () => {
    const ours = sizeOf(path.join(program, 'resources'));
    expect(ours).toBeGreaterThan(60 * MB);
    expect(ours).toBeLessThan(90 * MB);
    expect(readdirSync(path.join(program, 'locales'))).toEqual(['en-US.pak']);
  });

  test('has turned off what Electron could be talked into', async () => {
    const wire = await getCurrentFuseWire(path.join(program, 'vedette'));
    const isOn = (fuse: FuseV1Options) => String.fromCharCode(Number(wire[fuse])) === '1';
    expect(isOn(FuseV1Options.RunAsNode)).toBe(false);
    expect(isOn(FuseV1Options.EnableNodeOptionsEnvironmentVariable)).toBe(false);
    expect(isOn(FuseV1Options.EnableNodeCliInspectArguments)).toBe(false);
    expect(isOn(FuseV1Options.GrantFileProtocolExtraPrivileges)).toBe(false);
    expect(isOn(FuseV1Options.OnlyLoadAppFromAsar)).toBe(true);
    expect(isOn(FuseV1Options.EnableEmbeddedAsarIntegrityValidation)).toBe(true);
  });

  test('names the licences of what travels in it', () => {
    const text = readFileSync(path.join(program, 'resources/licences.txt'), 'utf8');
    for (const name of ['Vedette', 'fastify ', '@duckdb/node-api', 'svelte ', 'uplot ', 'zod ']) {
      expect(text, name).toMatch(new RegExp(`^${name}`, 'm'));
    }
    expect(existsSync(path.join(program, 'LICENSES.chromium.html'))).toBe(true);
  });
});
