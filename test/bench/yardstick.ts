import { createServer } from 'node:http';

/**
 * What bare node:http can do at the same work, as a process of its own: answer the pixel's image,
 * or collect a body, parse it and answer. Written as fast as it can be in a few plain lines.
 */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const GIF_HEADERS = {
  'content-type': 'image/gif',
  'cache-control': 'no-store',
  'content-length': GIF.length,
};

const server = createServer({ keepAliveTimeout: 72_000 }, (request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, GIF_HEADERS);
    response.end(GIF);
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    const events = JSON.parse(body.toString()) as unknown[];
    const answer = `{"ingested":${events.length}}`;
    response.writeHead(201, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': answer.length,
    });
    response.end(answer);
  });
});

server.listen(Number(process.argv[2]), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
