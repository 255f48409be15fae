import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { MAX_HEAD_BYTES } from '../../server/platform/bounds.ts';
import { freshTenant, sharedAppliance } from '../helpers/tenant.ts';

/** What comes back for bytes that no HTTP client would send. */
async function exchange(url: string, ...parts: (string | Buffer)[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  for (const part of parts) socket.write(part);
  let answer = '';
  for await (const chunk of socket) {
    answer += String(chunk);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? NaN);
    if (Buffer.byteLength(body) >= length) break;
  }
  socket.destroy();
  return answer;
}

const detail = (answer: string) =>
  (JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as { detail: string }).detail;

describe('over a real socket', () => {
  it('answers what is not HTTP with 400 and {detail}', async () => {
    const vedette = await sharedAppliance();
    const answer = await exchange(vedette.url, 'hello\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(detail(answer)).toMatch(/HTTP/);
  });

  it('answers a URL and headers that are too large with 413 and the limit that holds', async () => {
    const vedette = await sharedAppliance();
    const sent = (target: number, header: number) =>
      exchange(
        vedette.url,
        `GET /${'x'.repeat(target)} HTTP/1.1\r\nHost: a\r\nX-Long: ${'y'.repeat(header)}\r\n\r\n`,
      );
    for (const [target, header] of [
      [200_000, 0],
      [0, 200_000],
      [50_000, 50_000],
    ] as const) {
      const answer = await sent(target, header);
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(detail(answer)).toBe(
        'The URL with all headers is too large: at most 96 KiB and 1,000 headers',
      );
    }
    expect(await sent(0, MAX_HEAD_BYTES - 1024)).not.toMatch(/^HTTP\/1\.1 413 /);
  });

  it('answers too many headers with 413 and the number that may be', async () => {
    const { url } = await sharedAppliance();
    const sent = (count: number) =>
      exchange(url, `GET /nope HTTP/1.1\r\nHost: a\r\n${'a:1\r\n'.repeat(count)}\r\n`);
    expect(detail(await sent(3000))).toContain('at most 96 KiB and 1,000 headers');
    expect(await sent(990)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('takes a pixel whose URL is just under 64 KiB', async () => {
    const vedette = await freshTenant();
    const room = 65_536 - `/api/v1/events/collect?k=${vedette.key}&d=`.length;
    const wrap = (text: string) =>
      `{"source":"gtm","events":[{"type":"x","data":{"t":"${text}"}}]}`;
    const d = encodeURIComponent(wrap('y'.repeat(room - encodeURIComponent(wrap('')).length)));
    const answer = await fetch(`${vedette.url}/api/v1/events/collect?k=${vedette.key}&d=${d}`);
    expect(answer.status).toBe(200);
  });

  it('refuses a body as soon as it is declared or grows too large', async () => {
    const vedette = await freshTenant();
    const head = `POST /api/v1/events HTTP/1.1\r\nHost: a\r\nX-API-Key: ${vedette.key}\r\nContent-Type: application/json\r\n`;
    const declared = await exchange(vedette.url, `${head}Content-Length: 99999999\r\n\r\n`);
    expect(declared).toMatch(/^HTTP\/1\.1 413 /);
    const chunk = Buffer.alloc(1 << 20, 0x20);
    const chunks = Array.from({ length: 17 }, () => [
      `${chunk.length.toString(16)}\r\n`,
      chunk,
      '\r\n',
    ]).flat();
    const grown = await exchange(
      vedette.url,
      `${head}Transfer-Encoding: chunked\r\n\r\n`,
      ...chunks,
      '0\r\n\r\n',
    );
    expect(grown).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('takes a body in pieces, with bytes of a character apart', async () => {
    const vedette = await freshTenant();
    const body = Buffer.from('[{"source":"é","event_type":"😀","data":{}}]');
    const head = `POST /api/v1/events HTTP/1.1\r\nHost: a\r\nX-API-Key: ${vedette.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const pieces = [...body].flatMap((byte) => ['1\r\n', Buffer.from([byte]), '\r\n']);
    expect(await exchange(vedette.url, head, ...pieces, '0\r\n\r\n')).toMatch(/^HTTP\/1\.1 201 /);
    expect((await vedette.get('/events')).json()).toMatchObject([
      { source: 'é', event_type: '😀' },
    ]);
  });

  it('keeps nothing of a request that is cut off', async () => {
    const vedette = await freshTenant();
    const body = '[{"source":"a","event_type":"b","data":{}}]';
    const socket = connect(Number(new URL(vedette.url).port), '127.0.0.1');
    socket.write(
      `POST /api/v1/events HTTP/1.1\r\nHost: a\r\nX-API-Key: ${vedette.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length + 5}\r\n\r\n${body}`,
    );
    socket.end();
    await new Promise((done) => socket.resume().once('close', done));
    expect((await vedette.get('/events')).json()).toEqual([]);
    expect((await vedette.get('/events/rejected')).json()).toEqual([]);
  });

  it('answers what HTTP knows and the appliance does not with {detail}', async () => {
    const { url } = await sharedAppliance();
    for (const [request, status] of [
      ['GET /nope HTTP/1.1\r\n\r\n', 404],
      ['GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n', 417],
      ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ] as const) {
      const answer = await exchange(url, request);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(detail(answer)).toBeTruthy();
    }
  });

  it('answers who closed their half after sending', async () => {
    const vedette = await freshTenant();
    const body = '[{"source":"a","event_type":"b","data":{}}]';
    const socket = connect(Number(new URL(vedette.url).port), '127.0.0.1');
    socket.end(
      `POST /api/v1/events HTTP/1.1\r\nHost: a\r\nX-API-Key: ${vedette.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  });

  it('lets clients read the answer to a body that is too large', async () => {
    const vedette = await freshTenant();
    for (const bytes of [(16 << 20) + 1, 40 << 20]) {
      const answer = await fetch(`${vedette.url}/api/v1/events`, {
        method: 'POST',
        headers: { 'x-api-key': vedette.key, 'content-type': 'application/json' },
        body: Buffer.alloc(bytes, 0x20),
      });
      expect(answer.status).toBe(413);
      expect(await answer.json()).toHaveProperty('detail');
    }
  });
});
