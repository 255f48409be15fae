import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..');

interface Source {
  file: string;
  imports: string[];
}

/** Every import of every source file: of ours as a path from the root, of others by name. */
function sources(folder: string): Source[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|js|svelte)$/.test(name))
    .map((name) => {
      const file = path.posix.join(folder, name.replaceAll('\\', '/'));
      const text = readFileSync(path.join(root, file), 'utf8');
      const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
        ([, name = '']) =>
          name.startsWith('.')
            ? path.posix.join(path.posix.dirname(file), name)
            : name.replace(/^\$server\//, 'server/'),
      );
      return { file, imports };
    });
}

/** From the innermost room to the outermost. A file may import what lies in its own or further in. */
function depth(file: string): number {
  const name = path.posix.basename(file);
  if (name === 'schema.ts' || name === 'file-schema.ts') return 0;
  if (file.startsWith('server/platform/')) return 1;
  if (/^server\/(main|start)\.(ts|js)$/.test(file) || file.startsWith('electron/')) return 8;
  if (file === 'server/appliance.ts') return 7;
  if (file === 'server/app.ts') return 6;
  if (/^(.*routes|collect|admission)\.ts$/.test(name)) return 5;
  if (file.startsWith('server/http/')) return 4;
  if (/^(store|tables|rollups|segment)\.ts$/.test(name)) return 2;
  return 3;
}

const server = sources('server');

describe('the walls between the layers', () => {
  it('let imports point inward only', () => {
    const crossings = server.flatMap(({ file, imports }) =>
      imports
        .filter((target) => target.startsWith('server/') && depth(target) > depth(file))
        .map((target) => `${file} → ${target}`),
    );
    expect(crossings).toEqual([]);
  });

  it('let a schema import nothing but zod and other schemas', () => {
    for (const { file, imports } of server.filter(({ file }) => file.endsWith('schema.ts'))) {
      for (const target of imports) {
        expect(target === 'zod' || target.endsWith('schema.ts'), `${file} → ${target}`).toBe(true);
      }
    }
  });

  it('keep SQL in the stores', () => {
    const sql = /\b(SELECT|INSERT INTO|DELETE FROM|MERGE INTO|CREATE TABLE)\b/;
    const places = server
      .filter(({ file }) => sql.test(readFileSync(path.join(root, file), 'utf8')))
      .map(({ file }) => file);
    for (const file of places)
      expect(file).toMatch(/(store|tables|rollups|migrations|database)\.ts$/);
  });

  it('keep Electron out of the server, and the server out of the platform', () => {
    for (const { file, imports } of server) {
      expect(imports, file).not.toContain('electron');
      if (!file.startsWith('server/platform/')) continue;
      for (const target of imports.filter((name) => name.startsWith('server/'))) {
        expect(target, file).toMatch(/^server\/platform\//);
      }
    }
  });

  it('let the dashboard know nothing of the server but its shapes', () => {
    for (const { file, imports } of sources('ui/src')) {
      for (const target of imports.filter((name) => /^(server|electron|build)\//.test(name))) {
        expect(target, file).toMatch(/^server\/\w+\/schema\.ts$/);
      }
      const text = readFileSync(path.join(root, file), 'utf8');
      // Shapes are types only: the code behind them would be sent to every browser.
      for (const [line] of text.matchAll(/^\s*import[^;]*'\$server[^;]*;/gm)) {
        expect(line, file).toMatch(/import type/);
      }
      expect(imports, file).not.toContain('electron');
    }
  });

  it('keep everything that a stranger wrote out of the markup', () => {
    for (const { file } of sources('ui/src')) {
      const text = readFileSync(path.join(root, file), 'utf8');
      expect(text, file).not.toMatch(/\{@html|innerHTML|outerHTML|insertAdjacentHTML|eval\(/);
    }
  });
});
