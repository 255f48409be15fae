import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..');

interface Source {
  file: string;
  imports: string[];
  /** Those of them that are of types alone, which vanish when it is built. */
  typesOnly: string[];
}

const ALIASES = [
  [/^\$server\//, 'server/'],
  [/^\$electron\//, 'electron/'],
  [/^\$lib\//, 'ui/src/lib/'],
  [/^\$components\//, 'ui/src/components/'],
] as const;

/** A path from the root, however it is spelt. */
function resolved(name: string, file: string): string {
  if (name.startsWith('.')) return path.posix.join(path.posix.dirname(file), name);
  return ALIASES.reduce((target, [alias, folder]) => target.replace(alias, folder), name);
}

function importsOf(text: string, file: string): Pick<Source, 'imports' | 'typesOnly'> {
  const all = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, name = '']) => resolved(name, file));
  return {
    imports: all(/(?:from|import)\s*\(?\s*'([^']+)'/g),
    typesOnly: all(/(?:import|export)\s+type\s[^;']*\sfrom\s*'([^']+)'/g),
  };
}

/** Every import of every source file: of ours as a path from the root, of others by name. */
function sources(folder: string): Source[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|js|svelte)$/.test(name))
    .map((name) => {
      const file = path.posix.join(folder, name.replaceAll('\\', '/'));
      const text = readFileSync(path.join(root, file), 'utf8');
      return { file, ...importsOf(text, file) };
    });
}

/** From the innermost room to the outermost. A file may import what lies in its own or further in. */
function depth(file: string): number {
  const name = path.posix.basename(file);
  if (/^(schema|file-schema|bounds)\.ts$/.test(name)) return 0;
  if (file.startsWith('server/platform/')) return 1;
  if (/^server\/(main|serve|start)\.(ts|js)$/.test(file) || file.startsWith('electron/')) return 8;
  if (/^server\/(appliance|listening)\.ts$/.test(file)) return 7;
  if (file === 'server/app.ts') return 6;
  if (/^(.*routes|collect|admission)\.ts$/.test(name)) return 5;
  if (file.startsWith('server/http/')) return 4;
  if (/^(store|tables|rollups|segment|checksum)\.ts$/.test(name)) return 2;
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

  it('let a schema import nothing but zod, the bounds and other schemas', () => {
    for (const { file, imports } of server.filter(({ file }) => file.endsWith('schema.ts'))) {
      for (const target of imports) {
        expect(target, file).toMatch(/^zod$|schema\.ts$|^server\/platform\/bounds\.ts$/);
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
    for (const { file, imports, typesOnly } of sources('ui/src')) {
      const targets = imports.filter((name) => /^(server|electron|build)\//.test(name));
      for (const target of targets) {
        expect(target, file).toMatch(/^(server\/\w+(\/\w+)?|electron)\/schema\.ts$/);
      }
      // Shapes are types only: the code behind them would be sent to every browser.
      expect(typesOnly.filter((name) => targets.includes(name)).sort(), file).toEqual(
        targets.sort(),
      );
      expect(imports, file).not.toContain('electron');
    }
  });

  it('are seen in every spelling', () => {
    const text = `
      import { rule } from '$server/rules/schema.ts';
      import type { Rule } from '../../../server/rules/schema.ts';
      const later = import('$lib/words.ts');`;
    expect(importsOf(text, 'ui/src/lib/a.ts')).toEqual({
      imports: ['server/rules/schema.ts', 'server/rules/schema.ts', 'ui/src/lib/words.ts'],
      typesOnly: ['server/rules/schema.ts'],
    });
  });

  it('keep everything that a stranger wrote out of the markup', () => {
    for (const { file } of sources('ui/src')) {
      const text = readFileSync(path.join(root, file), 'utf8');
      expect(text, file).not.toMatch(/\{@html|innerHTML|outerHTML|insertAdjacentHTML|eval\(/);
    }
  });
});
