// As in server/start.js: queries of the database and syncs of the journal share these threads, and
// an empty value would mean a single one. It counts here and in programs started from here, so
// `npm start` hands it to Electron. Inside Electron it comes too late, since its threads are made
// before the first line of ours: the installed program has the usual four.
process.env['UV_THREADPOOL_SIZE'] ||= '8';
