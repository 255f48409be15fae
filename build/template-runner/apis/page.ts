import { text } from '../language/values.ts';
import type { Apis, Asked } from './api.ts';

/** A part of a URL by the tag manager's names; the whole of it without one. */
function partOf(
  address: string,
  part: unknown,
  options: { stripWww?: unknown; pages?: unknown; key?: unknown },
) {
  const url = URL.parse(address);
  if (url === null || part === undefined || part === null) return address;
  switch (text(part).toLowerCase()) {
    case 'protocol':
      return url.protocol.slice(0, -1);
    case 'host':
      return options.stripWww === true ? url.hostname.replace(/^www\d*\./, '') : url.hostname;
    case 'port':
      return url.port || (url.protocol === 'https:' ? '443' : '80');
    case 'path': {
      const names = url.pathname.split('/');
      const pages = Array.isArray(options.pages) ? (options.pages as unknown[]) : [];
      if (pages.includes(names.at(-1))) names[names.length - 1] = '';
      return names.join('/');
    }
    case 'query':
      return namesKey(options.key) ? queryOf(address, options.key) : url.search.slice(1);
    case 'extension':
      return /\.([^./]+)$/.exec(url.pathname)?.[1] ?? '';
    case 'fragment':
      return url.hash.slice(1);
    default:
      return address;
  }
}

/** The first value of a name in a query, or all of them. */
function queryOf(address: string, name: unknown, all?: unknown) {
  const values = URL.parse(address)?.searchParams.getAll(String(name)) ?? [];
  return all === true ? values : values[0];
}

const namesKey = (key: unknown) => key !== undefined && key !== null && key !== '';

const isQuery = (part: unknown) => typeof part === 'string' && part.toLowerCase() === 'query';

const part =
  (permission: string) =>
  (name: unknown, _stripWww?: unknown, _pages?: unknown, key?: unknown): Asked[] => [
    isQuery(name) && namesKey(key) ? [permission, name, key] : [permission, name],
  ];
const query =
  (permission: string) =>
  (name: unknown): Asked[] => [[permission, 'query', name]];

/** The page that the container runs on. */
export const page: Apis = {
  getQueryParameters: {
    needs: 'get_url',
    asks: query('get_url'),
    run: (world, name, all) => queryOf(world.page.url, name, all),
  },
  getReferrerQueryParameters: {
    needs: 'get_referrer',
    asks: query('get_referrer'),
    run: (world, name, all) => queryOf(world.page.referrer, name, all),
  },
  getReferrerUrl: {
    needs: 'get_referrer',
    asks: part('get_referrer'),
    run: (world, name, stripWww, pages, key) =>
      partOf(world.page.referrer, name, { stripWww, pages, key }),
  },
  getUrl: {
    needs: 'get_url',
    asks: part('get_url'),
    run: (world, name, stripWww, pages, key) =>
      partOf(world.page.url, name, { stripWww, pages, key }),
  },
  readCharacterSet: { needs: 'read_character_set', run: (world) => world.page.characterSet },
  readTitle: { needs: 'read_title', run: (world) => world.page.title },
};
