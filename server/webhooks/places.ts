import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/**
 * What an address belongs to: the internet; this machine or its network, where the owner must have
 * allowed it; or what no webhook is for, as link-local addresses, at which clouds hand out the keys
 * of a machine, and those that are of no one machine.
 */
export type Place = 'public' | 'private' | 'never';

/** All addresses of a name, as the system knows them. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export const NEVER =
  'webhooks cannot be sent to this address: it is link-local, cloud metadata, or not a single machine';
export const PRIVATE =
  'the address is on a private network, which has not been allowed in the dashboard';

const listed = (family: 'ipv4' | 'ipv6', ...subnets: string[]) => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [net = '', bits] = subnet.split('/');
    list.addSubnet(net, Number(bits), family);
  }
  return (address: string) => list.check(address, family);
};

// The single ones are where clouds answer about a machine without being link-local.
const isNever4 = listed(
  'ipv4',
  ...['0.0.0.0/8', '169.254.0.0/16', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['100.100.100.200/32', '168.63.129.16/32'],
);
const isPrivate4 = listed(
  'ipv4',
  ...['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  '198.18.0.0/15',
);
const isNever6 = listed(
  'ipv6',
  ...['2001::/23', '2001:db8::/32', '3fff::/20', 'fd00:ec2::/32', 'fd20:ce::254/128'],
);
const isPrivate6 = listed('ipv6', '::1/128', 'fc00::/7');
const isGlobal6 = listed('ipv6', '2000::/3');

export function placeOf(address: string): Place {
  if (isIP(address) === 4) {
    if (isNever4(address)) return 'never';
    return isPrivate4(address) ? 'private' : 'public';
  }
  const inside = ipv4In(address);
  if (inside !== undefined) return placeOf(inside);
  if (isNever6(address)) return 'never';
  if (isPrivate6(address)) return 'private';
  return isGlobal6(address) ? 'public' : 'never';
}

/** The IPv4 address that an IPv6 address stands for: mapped, behind NAT64, or by 6to4. */
function ipv4In(address: string): string | undefined {
  const groups = groupsOf(address);
  const front = groups.slice(0, 6).join();
  const isMapped = front === '0,0,0,0,0,65535';
  const isNat64 = front === '100,65435,0,0,0,0';
  const is6to4 = groups[0] === 0x2002;
  if (!isMapped && !isNat64 && !is6to4) return undefined;
  const pair = is6to4 ? groups.slice(1, 3) : groups.slice(6);
  return pair.flatMap((group) => [group >> 8, group & 255]).join('.');
}

function groupsOf(address: string): number[] {
  const plain = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1);
  const [front = [], back] = plain.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = back ? Array<string>(8 - front.length - back.length).fill('0') : [];
  return [...front, ...zeros, ...(back ?? [])].map((group) => Number.parseInt(group, 16));
}

export const resolve: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/** The host of a web address as it is looked up: without the brackets of IPv6. */
export const hostIn = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

/** Nothing is sent: what it says is why. */
export class Barred extends Error {}

/** Names of this machine, even where a look-up does not know them. */
const LOCAL_NAME = /(^|\.)localhost\.?$/;

/** Those of a host's addresses that may be sent to; says why where there is none. */
export async function openAddresses(
  host: string,
  allowPrivate: boolean,
  ask: Resolve = resolve,
): Promise<string[]> {
  if (LOCAL_NAME.test(host) && !allowPrivate) throw new Barred(PRIVATE);
  const all = isIP(host) ? [host] : await ask(host);
  const places = all.map(placeOf);
  const open = all.filter(
    (_, i) => places[i] === 'public' || (allowPrivate && places[i] === 'private'),
  );
  if (open.length === 0) throw new Barred(places.includes('private') ? PRIVATE : NEVER);
  return open;
}

/** What `fetch` asks as well: these ports are of protocols that a request could be mistaken for. */
export const isOtherProtocol = ({ port }: URL): boolean => OTHER_PROTOCOLS.has(Number(port));

const OTHER_PROTOCOLS = new Set([
  ...[1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101],
  ...[102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389],
  ...[427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636],
  ...[989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665],
  ...[6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);
