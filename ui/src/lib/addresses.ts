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

/** Why pages of a public website cannot send to it, if they cannot. */
export function websiteFault({ url, reach }: Address): string | undefined {
  if (reach !== 'public') return 'A public website cannot send to this address.';
  return url.startsWith('https:') ? undefined : 'A website on https cannot send to this address.';
}

/** What can send to it, and what can't. */
export function noteOf({ url, reach }: Address): string {
  if (reach === 'machine') return 'Only programs and pages on this machine reach it: good to try.';
  if (reach === 'network') {
    return 'Servers, apps and pages inside your network reach it. A public website can’t rely on it: browsers let a public https page reach a private address only with each visitor’s permission, and a page on https may not send to plain http.';
  }
  return url.startsWith('https:')
    ? 'Everyone on the internet reaches it, public websites too.'
    : 'Others reach it, but a page on https may not send to plain http.';
}

/** What would make it reach further, if anything would, and whether that is a setting. */
export function furtherOf(
  { reach }: Address,
  others: readonly Address[],
): { words: string; isSetting?: boolean } | undefined {
  if (reach === 'public') return undefined;
  const hasPublic = others.some((other) => other.reach === 'public');
  if (hasPublic) return { words: 'For a public website choose the public address.' };
  const hasNetwork = others.some((other) => other.reach === 'network');
  if (reach === 'machine' && !hasNetwork) {
    return {
      words:
        'Vedette listens on this machine only; to take events from other devices, start it with --host 0.0.0.0.',
    };
  }
  return {
    words:
      'A public website needs a public https name: put a reverse proxy with https before Vedette, and enter its address as the public URL.',
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
