import path from 'node:path';
import { expect, test } from 'vitest';
import { licences } from '../../build/licences.ts';

const names = licences(path.join(import.meta.dirname, '../..'))
  .split('\n')
  .flatMap((line) => /^(\S+) \d\S* \(.*\)$/.exec(line)?.[1] ?? []);

test('the licences name what the program names, and what that brings along', () => {
  expect(names).toEqual(expect.arrayContaining(['fastify', 'avvio', '@duckdb/node-bindings']));
  expect(names).toEqual(expect.arrayContaining(['electron-updater', 'builder-util-runtime']));
  expect(names).toEqual(expect.arrayContaining(['bits-ui', '@floating-ui/dom', 'tabbable']));
});

test('the licences leave out what only builds and tests it', () => {
  for (const name of ['vite', 'electron-builder', 'vitest', 'eslint', 'typescript', 'rolldown']) {
    expect(names).not.toContain(name);
  }
});

test('a package without a file of its own still has its licence named', () => {
  expect(names).toContain('standardwebhooks');
});
