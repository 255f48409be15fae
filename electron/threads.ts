// As in server/start.js: queries of the database and syncs of the journal share these threads. It
// must stand before anything uses one of them, so main.ts imports it first.
process.env['UV_THREADPOOL_SIZE'] ??= '8';
