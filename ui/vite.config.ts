import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

const here = import.meta.dirname;
const dist = path.join(here, 'dist');

/** Zipped once, here, rather than for every browser. */
const zipped: Plugin = {
  name: 'zipped',
  writeBundle() {
    for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(js|css|svg)$/.test(name)) continue;
      const file = path.join(dist, name);
      writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
    }
  },
};

export default defineConfig({
  root: here,
  plugins: [svelte({ configFile: false }), zipped],
  resolve: {
    alias: {
      $components: path.join(here, 'src/components'),
      $lib: path.join(here, 'src/lib'),
      $server: path.join(here, '../server'),
    },
  },
  build: {
    outDir: dist,
    emptyOutDir: true,
    target: 'es2023',
    // Nothing is inlined as data, so the page can refuse such sources.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
