import { RuntimeError } from './errors.ts';
import { isCallable, isObject, text } from './values.ts';

/** Own properties only; of functions only what was put on them, not JavaScript's own. */
export function hasOwn(target: unknown, key: string): boolean {
  if (isCallable(target)) return Object.prototype.propertyIsEnumerable.call(target, key);
  return isObject(target) && Object.hasOwn(target, key);
}

export function getMember(target: unknown, key: unknown, line: number): unknown {
  const name = text(key);
  if (target === null || target === undefined) {
    throw new RuntimeError(`Cannot read properties of ${target} (reading '${name}')`, line);
  }
  if (typeof target === 'string') {
    if (name === 'length') return target.length;
    return String(Number(name)) === name ? target[Number(name)] : undefined;
  }
  return hasOwn(target, name) ? (target as Record<string, unknown>)[name] : undefined;
}

/** Holes cost nothing to make by the thousand million, and for ever to whoever goes over them. */
const LONGEST = 2 ** 24;

/** Never reaches a prototype, so that `__proto__` is a key like any other. */
export function setMember(target: unknown, key: unknown, value: unknown, line: number): void {
  const name = text(key);
  if (target === null || target === undefined) {
    throw new RuntimeError(`Cannot set properties of ${target} (setting '${name}')`, line);
  }
  if (!isObject(target)) return;
  if (Array.isArray(target) && Number(name) >= LONGEST) throw tooLong(line);
  if (Array.isArray(target) && name === 'length') setLength(target, value, line);
  else setOwn(target, name, value);
}

/** Writes to the object itself, whatever its prototype has by that name; false if it is frozen. */
export function setOwn(target: object, name: string, value: unknown): boolean {
  return hasOwn(target, name) ? Reflect.set(target, name, value) : define(target, name, value);
}

export function define(target: object, name: string, value: unknown): boolean {
  return Reflect.defineProperty(target, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function setLength(array: unknown[], value: unknown, line: number): void {
  const length = Number(value);
  if (length >>> 0 !== length || length > LONGEST) throw tooLong(line);
  Reflect.set(array, 'length', length);
}

function tooLong(line: number): RuntimeError {
  return new RuntimeError('Invalid array length', line);
}

export function deleteMember(target: unknown, key: unknown, line: number): boolean {
  const name = text(key);
  if (target === null || target === undefined) {
    throw new RuntimeError(`Cannot convert ${target} to object`, line);
  }
  return !hasOwn(target, name) || Reflect.deleteProperty(target, name);
}

export function isIn(key: unknown, target: unknown, line: number): boolean {
  if (isObject(target)) return hasOwn(target, text(key));
  throw new RuntimeError(`Cannot use 'in' to search for '${text(key)}' in ${text(target)}`, line);
}
