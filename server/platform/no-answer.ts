/** Why nothing was answered. The words of the system would name the address, which is secret. */
export function reason(error: unknown): string {
  const { code, name, message } = deepest(error);
  const certificate = CERTIFICATE[code];
  if (certificate) return `TLS certificate not valid: ${certificate}`;
  if (NETWORK[code]) return NETWORK[code];
  if (/^(ERR_SSL_|EPROTO)/.test(code)) return 'no TLS connection could be made';
  if (name === 'HTTPParserError' || code.startsWith('HPE_')) return 'the answer is not HTTP';
  if (message === 'bad port') return 'this port is reserved for another protocol';
  return /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? `failed with ${code}` : 'failed';
}

const CERTIFICATE: Record<string, string> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its issuer is not known here',
  UNABLE_TO_GET_ISSUER_CERT: 'its issuer is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its issuer is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its issuer is not known here',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name',
};

const NETWORK: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection broke before the answer was complete',
  EPIPE: 'the connection broke before the answer was complete',
  UND_ERR_SOCKET: 'the connection broke before the answer was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the connection broke before the answer was complete',
  ENOTFOUND: 'name not found',
  EAI_AGAIN: 'name not found: no name server answers',
  EHOSTUNREACH: 'the address cannot be reached',
  EHOSTDOWN: 'the address cannot be reached',
  ENETUNREACH: 'the address cannot be reached',
  EADDRNOTAVAIL: 'the address cannot be reached',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  HPE_HEADER_OVERFLOW: 'the headers of the answer are too long',
};

/** Causes are wrapped in one another; the innermost one with a code tells most. */
function deepest(error: unknown): { code: string; name: string; message: string } {
  let found = { code: '', name: '', message: '' };
  for (let at = error; at instanceof Error; at = innerOf(at)) {
    const { code, name, message } = at as NodeJS.ErrnoException;
    found = { code: typeof code === 'string' ? code : found.code, name, message };
  }
  return found;
}

function innerOf(error: Error): unknown {
  return error instanceof AggregateError ? (error.errors[0] as unknown) : error.cause;
}
