import { setFlagsFromString } from 'node:v8';

// What the runtime must be told before the program is loaded, whoever starts it. In plain JavaScript,
// so that the stripper of types, which takes its share of memory, is not even loaded once all is in
// the cache.

// Queries of the database and syncs of the journal share these threads; with the usual four, a few
// slow queries would hold up answers. An empty value would mean a single one. Inside Electron it
// comes too late, since its threads are made before the first line of ours: `npm start` hands it to
// Electron, and the installed program has the usual four.
process.env['UV_THREADPOOL_SIZE'] ||= '8';

// The start makes much garbage, for which the space of new objects would grow by 30 MB and stay so
// for minutes. Once it is over, it may grow (platform/heap.ts).
setFlagsFromString('--semi-space-growth-factor=1');
