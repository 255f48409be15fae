import './runtime.js';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/vedette', import.meta.url)));

await import('./main.ts');
