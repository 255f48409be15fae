import { readFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildDesktop, SOURCES } from '../../build/desktop.ts';
import { isStale } from '../../build/stale.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const DIST = path.join(import.meta.dirname, '../../electron/dist');

function importsOf(file: string): string[] {
  const text = readFileSync(path.join(DIST, file), 'utf8')
    .replace(/\/\*\*.*?\*\//g, '')
    .replace(/^\s*(\*|\/\/|\/\*).*$/gm, '');
  const statics = [...text.matchAll(/^import\s[^'"]*['"]([^'"]+)['"];?$/gm)];
  const later = [...text.matchAll(/\b(?:import|__require)\(\s*['"]([^'"]+)['"]\s*\)/g)];
  return [...statics, ...later].map(([, name = '']) => name.replace(/^node:/, ''));
}

describe('the bundle that Electron starts', () => {
  test('needs nothing but Node, Electron and the database', async () => {
    await buildDesktop();
    const outside = importsOf('main.js').filter(
      (name) => !builtinModules.includes(name) && name !== 'electron' && !/^@duckdb\//.test(name),
    );
    expect(outside).toEqual([]);
    expect(importsOf('main.js')).toContain('electron');
  });

  test('has nothing in its preload but what a sandboxed page may load', async () => {
    await buildDesktop();
    const text = readFileSync(path.join(DIST, 'preload.cjs'), 'utf8');
    expect([...text.matchAll(/require\(["']([^"']+)["']\)/g)].map(([, name]) => name)).toEqual([
      'electron',
    ]);
  });
});

describe('what the bundle is made of', () => {
  const isKnown = (file: string) =>
    SOURCES.some((source) => file === source || file.startsWith(`${source}/`));

  test('counts in what builds it, and what gives it its version', () => {
    const build = readFileSync(path.join(DIST, '../../build/desktop.ts'), 'utf8');
    const parts = Array.from(build.matchAll(/import\('\.\/([^']+)'\)/g), ([, file = '']) => file);
    expect(parts).toEqual(['bundle.ts', 'draw-icons.ts']);
    const sources = ['package.json', 'tsconfig.json', ...parts.map((file) => `build/${file}`)];
    expect(sources.filter((file) => !isKnown(file))).toEqual([]);
  });
});

describe('what is built', () => {
  const at = (file: string, second: number) => utimesSync(file, second, second);

  function built() {
    const dir = tempDir();
    const [source, folder, made] = ['source.ts', 'folder', 'made.js'].map((name) =>
      path.join(dir, name),
    ) as [string, string, string];
    mkdirSync(folder);
    for (const file of [source, made, path.join(folder, 'part.ts')]) writeFileSync(file, '');
    for (const file of [source, path.join(folder, 'part.ts'), folder]) at(file, 100);
    at(made, 200);
    return { source, folder, made, isOld: () => isStale(made, [source, folder]) };
  }

  test('is left alone while nothing is newer', () => {
    expect(built().isOld()).toBe(false);
  });

  test('is stale when it is not there, or a source is newer, or one is gone', () => {
    const missing = built();
    rmSync(missing.made);
    expect(missing.isOld()).toBe(true);
    const changed = built();
    at(path.join(changed.folder, 'part.ts'), 300);
    expect(changed.isOld()).toBe(true);
    const less = built();
    rmSync(path.join(less.folder, 'part.ts'));
    expect(less.isOld()).toBe(true);
  });
});
