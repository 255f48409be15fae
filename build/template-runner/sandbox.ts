import { APIS } from './apis/all.ts';
import { askedBy, type Api, type FunctionApi } from './apis/api.ts';
import { Refusal } from './failure.ts';
import { isPermitted } from './permissions.ts';
import { isPlainObject, show } from './values.ts';
import type { World } from './world.ts';

type Callable = (...args: unknown[]) => unknown;
/** Test code is not held to the template's permissions. */
export type Caller = 'template' | 'test';

export interface Sandbox {
  require: (name: unknown, caller: Caller) => unknown;
  /** A function that counts as the API of that name: recorded, and mocked like one. */
  callable: (name: string, api: FunctionApi, caller: Caller) => Callable;
  mock: (name: unknown, value: unknown) => void;
  mockObject: (name: unknown, methods: unknown) => void;
  callsOf: (name: string) => unknown[][];
}

function check(world: World, name: string, api: FunctionApi, args: unknown[]): void {
  for (const [permission, ...asked] of askedBy(api, args)) {
    if (isPermitted(world.grants, permission, ...asked)) continue;
    const details = asked.filter((one) => one !== undefined).map(show);
    throw new Refusal(
      `${name} is refused: the template lacks ${[permission, ...details].join(' ')}`,
    );
  }
}

/** The APIs as a template and its tests see them, each call recorded, with mocks before them. */
export function createSandbox(world: World): Sandbox {
  const mocks = new Map<string, unknown>();
  const objects = new Map<string, Record<string, unknown>>();
  const running = new Set<unknown>();
  const calls = new Map<string, unknown[][]>();

  function record(name: string, args: unknown[]): void {
    const before = calls.get(name);
    if (before === undefined) calls.set(name, [args]);
    else before.push(args);
  }

  function runMock(mock: unknown, args: unknown[]): unknown {
    if (typeof mock !== 'function') return mock;
    const again = running.has(mock);
    running.add(mock);
    try {
      return Reflect.apply(mock, undefined, args);
    } finally {
      if (!again) running.delete(mock);
    }
  }

  /** Looks for the mock only when it is called, as tests mock what they required before. */
  const bound =
    (
      name: string,
      findMock: () => { mock: unknown } | undefined,
      api: FunctionApi | undefined,
      caller: Caller,
    ): Callable =>
    (...args) => {
      const found = findMock();
      // A mock that calls what it stands for means the real one, or it would never come back.
      const inside = caller === 'test' && found !== undefined && running.has(found.mock);
      if (!inside) record(name, args);
      if (found !== undefined && !inside) return runMock(found.mock, args);
      if (api === undefined) throw new Error(`${name} is only there while it is mocked`);
      if (caller === 'template') check(world, name, api, args);
      return api.run(world, ...args);
    };

  const callable = (name: string, api: FunctionApi | undefined, caller: Caller) =>
    bound(name, () => (mocks.has(name) ? { mock: mocks.get(name) } : undefined), api, caller);

  function objectOf(name: string, found: Api | undefined, caller: Caller) {
    const real = found !== undefined && 'methods' in found ? found.methods : {};
    const method = (key: string) => {
      const findMock = () => {
        const mocked = objects.get(name);
        return mocked !== undefined && Object.hasOwn(mocked, key)
          ? { mock: mocked[key] }
          : undefined;
      };
      const api = Object.hasOwn(real, key) ? real[key] : undefined;
      return bound(`${name}.${key}`, findMock, api, caller);
    };
    const keys = new Set([...Object.keys(real), ...Object.keys(objects.get(name) ?? {})]);
    return Object.fromEntries([...keys].map((key) => [key, method(key)]));
  }

  return {
    require: (given, caller) => {
      const name = String(given);
      if (caller === 'template') world.required.add(name);
      const api = Object.hasOwn(APIS, name) ? APIS[name] : undefined;
      if (objects.has(name) || (api !== undefined && 'methods' in api))
        return objectOf(name, api, caller);
      if (api === undefined && !mocks.has(name)) throw new Error(`there is no API ${show(given)}`);
      return callable(name, api, caller);
    },
    callable,
    mock: (given, value) => {
      const name = String(given);
      const api = Object.hasOwn(APIS, name) ? APIS[name] : undefined;
      if (api !== undefined && 'methods' in api && isPlainObject(value)) objects.set(name, value);
      else mocks.set(name, value);
    },
    mockObject: (name, methods) => {
      if (!isPlainObject(methods))
        throw new Error(`mockObject needs an object, not ${show(methods)}`);
      objects.set(String(name), methods);
    },
    callsOf: (name) => calls.get(name) ?? [],
  };
}
