import os from 'node:os';
import type { ClockJump } from '../platform/trusted-date.ts';
import type { AboutView } from './schema.ts';
import type { SettingsStore } from './store.ts';

/** Where it listens, which is known once it does. */
export interface Listening {
  host: string;
  /** What the host has come to, once it is listened on. */
  address?: string;
  port: number;
  url: string;
}

interface Parts {
  version: string;
  dataDir: string;
  startedAt: number;
  listening: () => Listening;
  settings: Pick<SettingsStore, 'current'>;
  needsPassword: () => boolean;
  notices: () => readonly string[];
  clockJump: () => ClockJump | undefined;
  /** This machine's network, as the operating system tells it. */
  network?: typeof os.networkInterfaces;
}

/** What this appliance is, and under which addresses it can be reached. */
export function createAbout(parts: Parts) {
  const { version, dataDir, startedAt, listening, settings, needsPassword, notices } = parts;
  const { clockJump, network = os.networkInterfaces } = parts;

  return (): AboutView => {
    const { host, port, url } = listening();
    const jump = clockJump();
    return {
      version,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      data_dir: dataDir,
      started_at: timeOf(startedAt),
      ...{ host, port, url },
      addresses: addressesOf(host, network()).map((address) => `http://${address}:${port}`),
      public_url: settings.current().public_url,
      needs_password: needsPassword(),
      notices: [...notices()],
      clock_jump: jump ? { from: timeOf(jump.from), to: timeOf(jump.to) } : null,
    };
  };
}

export type About = ReturnType<typeof createAbout>;

const timeOf = (moment: number) => new Date(moment).toISOString();

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i;

function addressesOf(host: string, network: ReturnType<typeof os.networkInterfaces>): string[] {
  if (LOOPBACK.test(host)) return [];
  if (host !== '0.0.0.0' && host !== '::') return [written(host)];
  const outer = Object.values(network).flatMap((all) => all ?? []);
  // An address of the link alone needs the name of an interface, which no browser takes.
  const usable = outer.filter(({ internal, address }) => !internal && !/^fe80:/i.test(address));
  const of = (family: string) => usable.filter((one) => one.family === family);
  const all = host === '::' ? [...of('IPv4'), ...of('IPv6')] : of('IPv4');
  return [...new Set(all.map(({ address }) => written(address)))];
}

const written = (address: string) => (address.includes(':') ? `[${address}]` : address);
