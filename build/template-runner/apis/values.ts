import { createHash } from 'node:crypto';
import { text } from '../language/values.ts';
import { isPlainObject, kindOf } from '../values.ts';
import { pure, type Apis } from './api.ts';

/** The sandbox has no exceptions: what fails there gives undefined. */
const orUndefined =
  (run: (value: string) => unknown) =>
  (value: unknown): unknown => {
    try {
      return run(text(value));
    } catch {
      return undefined;
    }
  };

function stringify(...args: Parameters<typeof JSON.stringify>): unknown {
  try {
    return JSON.stringify(...args);
  } catch {
    return undefined;
  }
}

/** A table with two columns as an object; null when no row has both. */
function makeTableMap(table: unknown, key: string, value: string): unknown {
  const rows = (Array.isArray(table) ? table : [])
    .filter(isPlainObject)
    .filter((row) => Object.hasOwn(row, key) && Object.hasOwn(row, value));
  if (rows.length === 0) return null;
  return Object.fromEntries(rows.map((row) => [String(row[key]), row[value]]));
}

/** Each name once; one that is there several times holds a list. */
function searchParams(params: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? '')];
    }),
  );
}

function parseUrl(address: unknown): unknown {
  const url = typeof address === 'string' ? URL.parse(address) : null;
  if (url === null) return undefined;
  const { href, origin, protocol, username, password, host, hostname, port } = url;
  const { pathname, search, hash } = url;
  return {
    ...{ href, origin, protocol, username, password, host, hostname, port },
    ...{ pathname, search, hash, searchParams: searchParams(url.searchParams) },
  };
}

function deleteKey(object: unknown, key: string): boolean {
  return isPlainObject(object) && Reflect.deleteProperty(object, key);
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

function fromBase64(encoded: unknown): unknown {
  if (typeof encoded !== 'string' || !BASE64.test(encoded)) return undefined;
  return Buffer.from(encoded, 'base64').toString();
}

/** What only computes. */
export const values: Apis = {
  JSON: {
    methods: {
      parse: pure(orUndefined((source) => JSON.parse(source))),
      stringify: pure(stringify),
    },
  },
  Math: {
    methods: {
      abs: pure((value: number) => Math.abs(value)),
      ceil: pure((value: number) => Math.ceil(value)),
      floor: pure((value: number) => Math.floor(value)),
      max: pure((...all: number[]) => Math.max(...all)),
      min: pure((...all: number[]) => Math.min(...all)),
      pow: pure((base: number, exponent: number) => base ** exponent),
      round: pure((value: number) => Math.round(value)),
      sqrt: pure((value: number) => Math.sqrt(value)),
    },
  },
  Object: {
    methods: {
      delete: pure(deleteKey),
      entries: pure(Object.entries),
      freeze: pure(Object.freeze),
      keys: pure(Object.keys),
      values: pure(Object.values),
    },
  },
  decodeUri: pure(orUndefined(decodeURI)),
  decodeUriComponent: pure(orUndefined(decodeURIComponent)),
  encodeUri: pure(orUndefined(encodeURI)),
  encodeUriComponent: pure(orUndefined(encodeURIComponent)),
  fromBase64: pure(fromBase64),
  generateRandom: pure(
    (min: number, max: number) => min + Math.floor(Math.random() * (max - min + 1)),
  ),
  getTimestamp: pure(() => Date.now()),
  getTimestampMillis: pure(() => Date.now()),
  getType: pure(kindOf),
  makeInteger: pure((value: unknown) => Math.round(Number(value)) || 0),
  makeNumber: pure(Number),
  makeString: pure(text),
  makeTableMap: pure(makeTableMap),
  parseUrl: pure(parseUrl),
  sha256: {
    run: (world, input, onSuccess, _onFailure, options) => {
      const hex = isPlainObject(options) && options.outputEncoding === 'hex';
      const hash = createHash('sha256').update(text(input));
      world.later(onSuccess, hash.digest(hex ? 'hex' : 'base64'));
    },
  },
  toBase64: pure((value: unknown) => Buffer.from(text(value)).toString('base64')),
};
