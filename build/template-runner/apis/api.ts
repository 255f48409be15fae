import type { World } from '../world.ts';

/** What a call asks for: a permission and what `queryPermission` would be given after it. */
export type Asked = [permission: string, ...details: unknown[]];

export interface FunctionApi {
  /** The permission that a call without valid arguments needs already. */
  needs?: string;
  /** All that a call with these arguments asks for; just `needs` when it is not here. */
  asks?: (...args: unknown[]) => Asked[];
  run: (world: World, ...args: unknown[]) => unknown;
}

export interface ObjectApi {
  needs?: string;
  methods: Record<string, FunctionApi>;
}

export type Api = FunctionApi | ObjectApi;
export type Apis = Record<string, Api>;

/** What a call asks the template's permissions for. */
export function askedBy({ needs, asks }: FunctionApi, args: unknown[]): Asked[] {
  if (asks !== undefined) return asks(...args);
  return needs === undefined ? [] : [[needs]];
}

/** A function that needs nothing of the world and no permission. */
export const pure = (run: (...args: never[]) => unknown): FunctionApi => ({
  run: (_world, ...args) => run(...(args as never[])),
});
