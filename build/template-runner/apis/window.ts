import { hasOwn, setOwn } from '../language/members.ts';
import { arrayMethod } from '../language/methods.ts';
import { isObject } from '../language/values.ts';
import { copied, isPlainObject } from '../values.ts';
import type { World } from '../world.ts';
import type { Apis, Asked } from './api.ts';

type Holder = Record<string, unknown>;

/** Never by the prototypes, which are those of the runner itself and lead to all that it can do. */
const ownOf = (holder: unknown, name: string): unknown =>
  hasOwn(holder, name) ? (holder as Holder)[name] : undefined;

const valueAt = (root: unknown, path: unknown): unknown =>
  String(path).split('.').reduce(ownOf, root);

/** What a dotted path's last name belongs to, and that name. */
function placeOf({ window }: World, path: unknown): [holder: unknown, name: string] {
  const names = String(path).split('.');
  const name = names.pop() ?? '';
  return [names.reduce<unknown>(ownOf, window), name];
}

export const readPath = ({ window }: World, path: unknown): unknown => valueAt(window, path);

export function writePath(world: World, path: unknown, value: unknown): boolean {
  const [holder, name] = placeOf(world, path);
  return isObject(holder) && setOwn(holder, name, value);
}

function listAt(world: World, path: unknown): unknown[] {
  const found = readPath(world, path) ?? undefined;
  if (Array.isArray(found)) return found;
  if (found !== undefined)
    throw new Error(`${String(path)} is there already, and is not an array.`);
  const list: unknown[] = [];
  if (!writePath(world, path, list)) throw new Error(`There is no place for ${String(path)}.`);
  return list;
}

/** The function comes before its array, which may be a property of it. */
function argumentsQueue(world: World, functionPath: unknown, listPath: unknown): unknown {
  const found = readPath(world, functionPath) ?? undefined;
  if (found !== undefined && typeof found !== 'function') return null;
  const queue = found ?? ((...args: unknown[]) => void listAt(world, listPath).push(copied(args)));
  if (found === undefined && !writePath(world, functionPath, queue))
    throw new Error(`There is no place for ${String(functionPath)}.`);
  listAt(world, listPath);
  return queue;
}

function callAt(world: World, path: unknown, args: unknown[]): unknown {
  const [holder, name] = placeOf(world, path);
  const own = ownOf(holder, name);
  const method = own === undefined && Array.isArray(holder) ? arrayMethod(holder, name) : own;
  const given = args.map((arg) => copied(arg));
  return typeof method === 'function' ? copied(Reflect.apply(method, undefined, given)) : undefined;
}

/** What was pushed, merged as the tag manager merges it: arrays item by item. */
function merged(into: unknown, from: unknown): unknown {
  if (Array.isArray(from)) {
    const list: unknown[] = Array.isArray(into) ? into : [];
    for (const [i, item] of from.entries()) list[i] = merged(list[i], item);
    return list;
  }
  if (!isPlainObject(from)) return from;
  const object = isPlainObject(into) ? into : {};
  for (const [key, item] of Object.entries(from))
    setOwn(object, key, merged(ownOf(object, key), item));
  return object;
}

/** Version 2 merges and knows dotted keys; version 1 has the last value of a key as it is. */
function fromDataLayer(world: World, key: unknown, version: unknown): unknown {
  const pushed = Array.isArray(world.window.dataLayer) ? world.window.dataLayer : [];
  const messages = pushed.filter(isPlainObject).map((message) => copied(message) as Holder);
  if (version === 1)
    return messages.findLast((message) => Object.hasOwn(message, String(key)))?.[String(key)];
  const model: Holder = {};
  for (const message of messages)
    for (const [path, value] of Object.entries(message)) {
      const names = path.split('.');
      merged(
        model,
        names.reduceRight<unknown>((inside, name) => ({ [name]: inside }), value),
      );
    }
  return valueAt(model, key);
}

/** The keys of an object with those of the objects in it, dotted. */
const keysOf = (object: Holder): string[] =>
  Object.entries(object).flatMap(([key, value]) =>
    isPlainObject(value) ? keysOf(value).map((inside) => `${key}.${inside}`) : [key],
  );

const globals = (action: string, ...keys: unknown[]) =>
  keys.map((key): Asked => ['access_globals', action, key]);

/** The page's own variables, and its data layer. */
export const window: Apis = {
  aliasInWindow: {
    needs: 'access_globals',
    asks: (to, from) => [...globals('write', to), ...globals('read', from)],
    run: (world, to, from) => {
      const value = readPath(world, from);
      return value !== undefined && writePath(world, to, value);
    },
  },
  callInWindow: {
    needs: 'access_globals',
    asks: (path) => globals('execute', path),
    run: (world, path, ...args) => callAt(world, path, args),
  },
  copyFromDataLayer: {
    needs: 'read_data_layer',
    asks: (key) => [['read_data_layer', key]],
    run: fromDataLayer,
  },
  copyFromWindow: {
    needs: 'access_globals',
    asks: (path) => globals('read', path),
    run: (world, path) => copied(readPath(world, path)),
  },
  createArgumentsQueue: {
    needs: 'access_globals',
    asks: (functionPath, listPath) => globals('readwrite', functionPath, listPath),
    run: argumentsQueue,
  },
  createQueue: {
    needs: 'access_globals',
    asks: (path) => globals('readwrite', path),
    run: (world, path) => {
      listAt(world, path);
      return (...values: unknown[]) =>
        listAt(world, path).push(...values.map((value) => copied(value)));
    },
  },
  gtagSet: {
    needs: 'write_data_layer',
    // Both forms are in use: an object of settings, and one key with its value.
    asks: (given) =>
      (isPlainObject(given) ? keysOf(given) : [given]).map((key) => ['write_data_layer', key]),
    run: (world, ...settings) =>
      void listAt(world, 'dataLayer').push(['set', ...settings.map((one) => copied(one))]),
  },
  setInWindow: {
    needs: 'access_globals',
    asks: (path) => globals('write', path),
    run: (world, path, value, override) =>
      (override === true || readPath(world, path) === undefined) &&
      writePath(world, path, copied(value)),
  },
};
