import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** What proxies, load balancers and content networks add to what they pass on. */
const SIGNS = new RegExp(
  [
    '^(via|forwarded|cdn-loop|proxy-connection|front-end-https|(x-|true-)?client-ip|x-real-ip)$',
    '^(x-cluster-client-ip|x-url-scheme|x-request-start|x-amzn-trace-id|x-cloud-trace-context)$',
    '^x-(forwarded|original|envoy|amz-cf|arr|appengine|azure|varnish|vercel|nf)(-|$)',
    '^x-(proxy|proxyuser|nginx)(-|$)',
    '^(cf|fastly|fly|akamai)-',
  ].join('|'),
);

/**
 * Did a proxy pass this on? No browser speaks HTTP/1.0 or hangs up after each request, and nginx
 * does both unless told otherwise. One that does nothing of all this cannot be told from a browser.
 */
export function cameByProxy({ httpVersion, headers }: IncomingMessage): boolean {
  if (httpVersion === '1.0' || /\bclose\b/i.test(headers.connection ?? '')) return true;
  for (const name in headers) if (SIGNS.test(name)) return true;
  return isRenamed(headers);
}

/** Does the browser know us by another name than the one that arrived here? */
function isRenamed({ host, origin, referer, 'sec-fetch-site': site }: IncomingHttpHeaders) {
  // A link on the page of another site, as the browser says itself.
  if (site === 'cross-site' || site === 'same-site') return false;
  const from = origin ?? referer;
  if (from === undefined || from === 'null') return false;
  const name = nameIn(from);
  return name === undefined || name !== nameIn(`http://${host ?? ''}`);
}

function nameIn(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}

/** The Host header that counts must be the only one: a proxy may have judged by another. */
export function hasManyHosts({ rawHeaders }: IncomingMessage): boolean {
  let found = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') found++;
  }
  return found > 1;
}

/** Whether an address is of a proxy that is trusted, which is a setting. */
export function createIsProxy(trusted: () => readonly string[]) {
  let known: readonly string[] = [];
  let proxies = new BlockList();

  return (address: string): boolean => {
    if (known !== trusted()) {
      known = trusted();
      proxies = blockList(known);
    }
    const family = isIP(address);
    return family !== 0 && proxies.check(address, family === 4 ? 'ipv4' : 'ipv6');
  };
}

/**
 * Who sent a request. Trusted proxies are believed about whom they speak for, each about the one
 * before it, from the last to the first.
 */
export function createAddressOf(trusted: () => readonly string[]) {
  const isProxy = createIsProxy(trusted);
  return ({ socket, headers }: IncomingMessage): string => {
    let address = plainAddress(socket.remoteAddress ?? '');
    const chain = String(headers['x-forwarded-for'] ?? '').split(',');
    while (isProxy(address)) {
      const before = plainAddress(withoutPort((chain.pop() ?? '').trim()));
      if (isIP(before) === 0) break;
      address = before;
    }
    return address;
  };
}

export type AddressOf = ReturnType<typeof createAddressOf>;

/** Of `10.0.0.5`, `10.0.0.0/8` and the same in IPv6. */
function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const [family, all] = isIP(address) === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
    list.addSubnet(address, Number(bits ?? all), family);
  }
  return list;
}

/** An IPv4 peer is named in IPv6 clothing where IPv6 is listened to as well. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Some proxies name the port as well. */
function withoutPort(address: string): string {
  return address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1').replace(/^\[(.*)\](?::\d+)?$/, '$1');
}
