import { z } from 'zod';
import { startProblems } from '../../platform/start-errors.ts';
import { fieldErrors } from '../../platform/validation.ts';

/** Where the tag manager and its identity provider are reached. */
export interface Endpoints {
  /** Of the API, without a slash at the end. */
  api: string;
  authorize: string;
  token: string;
  revoke: string;
}

const GOOGLE: Endpoints = {
  api: 'https://tagmanager.googleapis.com',
  authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  revoke: 'https://oauth2.googleapis.com/revoke',
};

const address = z.string().transform((text, context) => {
  const fault = faultOf(text);
  if (fault === undefined) return new URL(text).href;
  context.addIssue({ code: 'custom', message: fault });
  return z.NEVER;
});

const given = z
  .strictObject({ api: address, authorize: address, token: address, revoke: address })
  .partial();

/** Those of Google, but for what is given as JSON. Throws what ends a start. */
export function readEndpoints(text: string | undefined): Endpoints {
  if (text === undefined || text.trim() === '') return GOOGLE;
  const judged = given.safeParse(jsonOf(text));
  if (!judged.success) {
    const all = fieldErrors(judged.error.issues).map((one) => `${one.path} ${one.message}`.trim());
    throw wrong(all.join('; '));
  }
  const { api = GOOGLE.api, ...rest } = judged.data;
  return { ...GOOGLE, ...defined(rest), api: api.replace(/\/+$/, '') };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong('must be JSON, like {"token": "https://…"}');
  }
}

function wrong(what: string) {
  return startProblems.option(`--tagmanager-endpoints (VEDETTE_TAGMANAGER_ENDPOINTS): ${what}`);
}

function faultOf(text: string): string | undefined {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return 'must be an address like https://tags.shop.example';
  }
  // Tokens travel there, so nobody may read along.
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
  if (!isSafe) return 'must begin with https:// (plain http is for this machine alone)';
  if (url.username !== '' || url.password !== '') return 'must not have a user name';
  if (url.hash !== '' || url.search !== '') return 'must not have anything behind ? or #';
  return undefined;
}

const isLoopback = ({ hostname }: URL) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

function defined(all: Partial<Record<keyof Endpoints, string | undefined>>): Partial<Endpoints> {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
