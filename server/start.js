import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// What must happen before the program is loaded. In plain JavaScript, so that the stripper of
// types, which takes its share of memory, is not even loaded once all is in the cache.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/vedette', import.meta.url)));

// Queries of the database and syncs of the journal share Node's threads; with the usual four, a
// few slow queries would hold up answers.
process.env['UV_THREADPOOL_SIZE'] ??= '8';

await import('./main.ts');
