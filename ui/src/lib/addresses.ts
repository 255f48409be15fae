import type { AboutView } from '$server/settings/schema.ts';

type Reach = 'public' | 'network' | 'machine';

export interface Address {
  url: string;
  reach: Reach;
}

const WORDS = { public: 'public', network: 'your network', machine: 'this machine' } as const;

export const addressOf = (url: string): Address => ({ url, reach: reachOf(url) });

/** Under which addresses events can be sent, the one that reaches furthest first. */
export function addressesOf(
  origin: string,
  about: Pick<AboutView, 'addresses' | 'public_url'> | undefined,
): Address[] {
  const all: Address[] = [
    ...(about?.public_url ? [{ url: about.public_url, reach: 'public' as const }] : []),
    ...[origin, ...(about?.addresses ?? [])].map(addressOf),
  ];
  return all.filter(({ url }, i) => all.findIndex((other) => other.url === url) === i);
}

export const labelOf = ({ url, reach }: Address): string => `${url} (${WORDS[reach]})`;

/** Only to such an address can every page send. */
export const isForWebsites = ({ url, reach }: Address): boolean =>
  reach === 'public' && url.startsWith('https:');

/** What can send to it, and what cannot. */
export function noteOf({ url, reach }: Address): string {
  const isPlain = url.startsWith('http:');
  if (reach === 'machine') return 'Only programs and pages on this machine reach it: good to try.';
  if (reach === 'network') {
    const blocked = isPlain ? ', and may block plain http from a page on https' : '';
    return `Servers, apps and pages inside your network reach it. A public website cannot rely on it: browsers let its pages reach a private address only with each visitor’s permission${blocked}.`;
  }
  return isPlain
    ? 'Everyone on the internet reaches it, but a website on https cannot rely on it: browsers may block plain http from there.'
    : 'Everyone on the internet reaches it, public websites too.';
}

/** Why a tag may not send to it, whoever reaches it. */
export function tagNoteOf({ url }: Address): string | undefined {
  if (url.startsWith('https:')) return undefined;
  return 'The tag manager may refuse to send to a plain-http address; a public https address is the sure way.';
}

/** What would make it reach further, if anything would, and whether that is a setting. */
export function furtherOf(
  address: Address,
  others: readonly Address[],
): { words: string; isSetting?: boolean } | undefined {
  if (isForWebsites(address)) return undefined;
  if (others.some(isForWebsites))
    return { words: 'For a public website choose the public address.' };
  const isReached = others.some(({ reach }) => reach !== 'machine');
  if (address.reach === 'machine' && !isReached) {
    return {
      words:
        'Vedette listens on this machine only; to take events from other devices, start it with --host 0.0.0.0.',
    };
  }
  return {
    words:
      'To get a public https address, put a reverse proxy with https before Vedette, and enter its address as the public URL.',
    isSetting: true,
  };
}

function reachOf(url: string): Reach {
  const { hostname } = new URL(url);
  if (/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return 'machine';
  // A name, as over a reverse proxy; numbers and .local names are of the network.
  const isNetwork = /^(\d+\.){3}\d+$|^\[|\.local$/.test(hostname) || !hostname.includes('.');
  return isNetwork ? 'network' : 'public';
}
