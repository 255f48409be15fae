// As in server/start.js: queries share these threads, so there must be enough of them.
process.env['UV_THREADPOOL_SIZE'] ??= '8';

await import('./run.ts');
