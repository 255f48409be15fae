interface Bounds {
  timeoutMs: number;
  closing: AbortSignal;
}

interface Asked {
  method: 'POST';
  headers: Record<string, string>;
  body: URLSearchParams;
}

/** Room for any answer of a token endpoint. */
const MAX_BYTES = 64 << 10;

/** Asks once, follows no redirect, and takes neither long nor much. */
export const fetchBounded =
  ({ timeoutMs, closing }: Bounds) =>
  async (url: string, { method, headers, body }: Asked): Promise<Response> => {
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), closing]);
    // A token must not travel to where a redirect leads.
    const response = await fetch(url, { method, headers, body, redirect: 'manual', signal });
    const text = await readText(response);
    const type = response.headers.get('content-type');
    // Its other headers would be judged too, and none of them says more than the body.
    return new Response(NO_BODY.has(response.status) ? null : text, {
      status: response.status,
      headers: type === null ? {} : { 'content-type': type },
    });
  };

const NO_BODY = new Set([204, 205, 304]);

async function readText({ body }: Response): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks).toString('utf8');
    bytes += value.length;
    if (bytes > MAX_BYTES) {
      await reader.cancel();
      throw new Error('The answer is too long');
    }
    chunks.push(value);
  }
}
