/**
 * Must be imported before anything that touches files. Queries of the database and syncs of the
 * journal share Node's threads; with the usual four, a few slow queries would hold up answers.
 */
process.env['UV_THREADPOOL_SIZE'] ??= '8';
