import type { Definition } from '../api/schema.ts';

/*
 * An object as the API has it may lack anything, and may have anything that we do not know of yet.
 */

/** A parameter of an object, or of a condition. */
export interface Parameter {
  type: string;
  key: string;
  value: string;
  list: Parameter[];
  map: Parameter[];
}

export interface Condition {
  type: string;
  parameter: Parameter[];
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textIn = (object: Definition, name: string): string => textOf(object[name]);

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

export const textsIn = (object: Definition, name: string): string[] =>
  listOf(object[name]).map(textOf).filter(Boolean);

export const recordsIn = (object: Definition, name: string): Record<string, unknown>[] =>
  listOf(object[name]).filter(isRecord);

export function parameterOf(value: unknown): Parameter {
  const given = isRecord(value) ? value : {};
  return {
    type: textOf(given['type']),
    key: textOf(given['key']),
    value: textOf(given['value']),
    list: listOf(given['list']).map(parameterOf),
    map: listOf(given['map']).map(parameterOf),
  };
}

export const parametersIn = (object: Definition, name = 'parameter'): Parameter[] =>
  listOf(object[name]).map(parameterOf);

export const conditionsIn = (object: Definition, name: string): Condition[] =>
  recordsIn(object, name).map((condition) => ({
    type: textIn(condition, 'type'),
    parameter: parametersIn(condition),
  }));

/** The value of one parameter among several. */
export const valueOf = (parameters: readonly Parameter[], key: string): string =>
  parameters.find((one) => one.key === key)?.value ?? '';

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
