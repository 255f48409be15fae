/** A pattern's parts; it need not be a valid URL, as `*` may stand in it. */
const PATTERN = /^([a-z]+):\/\/([^/?#]+)(.*)$/i;

/** `*.example.com` means example.com and every host below it. */
function hostMatches(host: string, pattern: string): boolean {
  if (!pattern.startsWith('*.')) return pattern === '*' || host === pattern;
  return host === pattern.slice(2) || host.endsWith(pattern.slice(1));
}

function pathMatches({ pathname, search }: URL, pattern: string): boolean {
  if (pattern === '' || pattern === '/') return true;
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const path = new RegExp(`^${parts.join('.*')}$`);
  return path.test(pathname + search) || path.test(pathname);
}

const DEFAULT_PORTS: Record<string, string> = { http: ':80', https: ':443' };

/** As a URL has it, which leaves out the port that its scheme has anyway. */
function hostOf(scheme: string, written: string): string {
  const port = DEFAULT_PORTS[scheme];
  return port !== undefined && written.endsWith(port) ? written.slice(0, -port.length) : written;
}

/** Whether one of the patterns of a permission covers the URL. */
export function urlMatches(asked: unknown, patterns: string[]): boolean {
  const url = typeof asked === 'string' ? URL.parse(asked) : null;
  if (url === null) return false;
  return patterns.some((text) => {
    const [, written = '', host = '', path = ''] = PATTERN.exec(text.trim()) ?? [];
    const scheme = written.toLowerCase();
    return (
      url.protocol === `${scheme}:` &&
      hostMatches(url.host, hostOf(scheme, host.toLowerCase())) &&
      pathMatches(url, path)
    );
  });
}
