import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { FastifyRequest } from 'fastify';
import { problems } from '../platform/errors.ts';
import type { SettingsStore } from '../settings/store.ts';
import { cameByProxy, plainAddress } from './proxies.ts';

export type DashboardGuard = (request: FastifyRequest) => void;

/** From this machine, and not through a proxy on it that serves others. */
export function isLocal(request: FastifyRequest): boolean {
  return isNear(request) && isOwnName(request);
}

/**
 * Throws unless the dashboard may answer. The Host header is checked even for requests from this
 * machine: a page of another site can have its own name resolve to 127.0.0.1 and so read along.
 */
export function createDashboardGuard({
  settings,
  machine = hostname(),
}: {
  settings: SettingsStore;
  machine?: string;
}): DashboardGuard {
  const names = new Set([machine.toLowerCase(), `${machine.toLowerCase()}.local`]);

  return (request) => {
    const host = hostOf(request.headers.host);
    if (!settings.dashboardOnLan()) {
      if (!isNear(request)) throw problems.dashboardNotLocal();
      if (!isOwnName(request)) throw problems.wrongHost();
      return;
    }
    if (host === undefined) throw problems.wrongHost();
    const { public_url } = settings.current();
    const isOurs =
      isIP(bare(host)) !== 0 ||
      isLoopbackName(host) ||
      names.has(host) ||
      (public_url !== null && host === new URL(public_url).hostname);
    if (!isOurs) throw problems.wrongHost();
  };
}

/** What a browser calls this server: scheme, host and port, as it would stand in `Origin`. */
export function isSameOrigin(request: FastifyRequest): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return request.headers['sec-fetch-site'] === 'same-origin';
  const own = originOf(`${cameByHttps(request) ? 'https' : 'http'}://${host ?? ''}`);
  return own !== undefined && own === originOf(origin);
}

/**
 * The header of a proxy is believed here: who forges it only makes their own cookie unusable,
 * and a page of another site cannot set it.
 */
export function cameByHttps(request: FastifyRequest): boolean {
  const forwarded = request.headers['x-forwarded-proto'];
  return request.protocol === 'https' || String(forwarded).split(',')[0]?.trim() === 'https';
}

function isNear(request: FastifyRequest): boolean {
  return isFromHere(request.raw) && !cameByProxy(request.raw);
}

/** Nobody else can hold a connection whose two ends are one and the same address. */
function isFromHere({ socket }: IncomingMessage): boolean {
  const { remoteAddress = '', localAddress } = socket;
  const address = plainAddress(remoteAddress);
  return isLoopbackAddress(address) || (isIP(address) !== 0 && remoteAddress === localAddress);
}

/**
 * For who is near: names of loopback, and the very address that was called. Names that lead to
 * that address will not do, since anybody can have such a name.
 */
function isOwnName({ headers, socket }: FastifyRequest): boolean {
  const host = hostOf(headers.host);
  if (host === undefined) return false;
  const called = canonical(bare(host));
  return (
    isLoopbackName(host) ||
    (called !== undefined && called === canonical(plainAddress(socket.localAddress ?? '')))
  );
}

function isLoopbackName(host: string | undefined): boolean {
  return host === 'localhost' || (host !== undefined && isLoopbackAddress(bare(host)));
}

export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

function hostOf(header: string | undefined): string | undefined {
  const [, host] = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.exec(header ?? '') ?? [];
  return host?.toLowerCase();
}

/** A browser that a proxy on this machine speaks for. Programs may look like one by themselves. */
export function isVisitorByProxy(request: IncomingMessage): boolean {
  const isBrowser = request.headers['user-agent']?.startsWith('Mozilla/') === true;
  return isBrowser && isFromHere(request) && cameByProxy(request);
}

/** One IPv6 address can be written in many ways. */
function canonical(address: string): string | undefined {
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : undefined;
  return originOf(`http://[${address}]`);
}

function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

function originOf(address: string): string | undefined {
  try {
    const { origin } = new URL(address);
    return origin === 'null' ? undefined : origin;
  } catch {
    return undefined;
  }
}
