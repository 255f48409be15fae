import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { beforeAll, describe, expect, test } from 'vitest';
import { electronDist, missing, suite } from '../helpers/desktop/runtime.ts';
import { unpackedProgram } from '../helpers/unpacked.ts';

const why = missing();
const MB = 1_000_000;

let program = '';
let packed: string[] = [];

const sizeOf = (file: string): number =>
  statSync(file).isDirectory()
    ? readdirSync(file).reduce((sum, name) => sum + sizeOf(path.join(file, name)), 0)
    : statSync(file).size;

describe.skipIf(why)(suite('what would be installed', why), () => {
  beforeAll(async () => {
    program = await unpackedProgram(electronDist() ?? '');
    packed = listPackage(path.join(program, 'resources/app.asar'), { isPack: false });
  }, 120_000);

  test('is the bundle, the dashboard and a name, and nothing else of ours', () => {
    const folders = packed.filter((file) => !/\/(icons|static|assets)\//.test(file));
    expect(folders.sort()).toEqual([
      '/electron',
      '/electron/dist',
      ...['icons', 'main.js', 'preload.cjs', 'static'].map((name) => `/electron/dist/${name}`),
      '/package.json',
      '/ui',
      '/ui/dist',
      ...['assets', 'icon.svg', 'icon.svg.gz', 'index.html', 'theme.js', 'theme.js.gz'].map(
        (name) => `/ui/dist/${name}`,
      ),
    ]);
    expect(packed.filter((file) => /\.(ts|svelte|map)$/.test(file))).toEqual([]);
  });

  test('keeps the database outside of the archive, where the system can load it', () => {
    const resources = path.join(program, 'resources');
    expect(readdirSync(resources).sort()).toEqual(['app.asar', 'licences.txt', 'node_modules']);
    const native = path.join(resources, 'node_modules/@duckdb/node-bindings-linux-x64');
    expect(readdirSync(native)).toEqual(expect.arrayContaining(['duckdb.node', 'libduckdb.so']));
    expect(packed.filter((file) => file.includes('node_modules'))).toEqual([]);
    const others = readdirSync(path.join(resources, 'node_modules')).sort();
    expect(others).toEqual(['@duckdb', 'detect-libc']);
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
