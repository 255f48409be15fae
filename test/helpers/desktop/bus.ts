import dbus from '@homebridge/dbus-native';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { tool } from './runtime.ts';
import { runProgram } from './scope.ts';
import type { Scope } from './scope.ts';

export interface Message {
  path?: string;
  destination?: string;
  interface?: string;
  member?: string;
  sender?: string;
  signature?: string;
  body?: readonly unknown[];
}

interface Interface {
  name: string;
  methods: Record<string, readonly [takes: string, gives: string]>;
  properties?: Record<string, string>;
  signals?: Record<string, readonly string[]>;
}

interface Connection {
  connection: { end(): void; on(event: 'error', listener: (error: Error) => void): void };
  invoke(message: Message, answer: (error: Refusal | null, ...body: unknown[]) => void): void;
  exportInterface(implementation: object, path: string, description: Interface): void;
  requestName(name: string, flags: number, answer: (error: Refusal | null) => void): void;
  addMatch(rule: string, answer: (error: Refusal | null) => void): void;
  sendSignal(path: string, from: string, name: string, signature: string, body: unknown[]): void;
  signals: { on(name: string, listener: (body: unknown[]) => void): void };
  mangle(path: string, from: string, member: string): string;
}

interface Refusal {
  name: string;
  message: string;
}

export const DBUS = 'org.freedesktop.DBus';

const CONFIG = (socket: string) => `<!DOCTYPE busconfig PUBLIC
 "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=${socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

/** A bus of its own, on which nothing can be started by its name. */
export async function startBus(scope: Scope) {
  const dir = scope.dir();
  const config = path.join(dir, 'bus.conf');
  writeFileSync(config, CONFIG(path.join(dir, 'bus')));
  const args = [`--config-file=${config}`, '--nofork', '--nopidfile', '--print-address=1'];
  const daemon = runProgram(scope, tool('dbus-daemon') ?? 'dbus-daemon', args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {},
  });
  if (!daemon.stdout) throw new Error('The bus says nothing');
  const [address] = (await once(daemon.stdout, 'data')) as [Buffer];
  return { address: address.toString().trim() };
}

/** One who takes part in the bus: offers objects, calls others, hears signals. */
export function joinBus(scope: Scope, address: string) {
  const client = (dbus as unknown as { createClient(at: object): Connection }).createClient({
    busAddress: address,
  });
  // The bus ends at the end of the tests, perhaps before this.
  client.connection.on('error', () => undefined);
  scope.defer(() => {
    client.connection.end();
  });

  const call = (message: Message) =>
    new Promise<unknown[]>((resolve, reject) => {
      client.invoke(message, (error, ...body) => {
        if (error) reject(new Error(`${message.member}: ${error.name} ${error.message}`));
        else resolve(body.map(plain));
      });
    });

  return {
    call,

    offer: async (name: string, at: string, description: Interface, implementation: object) => {
      client.exportInterface(implementation, at, description);
      await new Promise<void>((resolve, reject) => {
        client.requestName(name, 0, (error) => {
          if (error) reject(new Error(error.message));
          else resolve();
        });
      });
    },

    /** Which process stands behind a name on the bus. */
    async pidOf(name: string): Promise<number> {
      const daemon = { destination: DBUS, path: '/org/freedesktop/DBus', interface: DBUS };
      const member = 'GetConnectionUnixProcessID';
      const [pid] = await call({ ...daemon, member, signature: 's', body: [name] });
      return Number(pid);
    },

    signal: (at: string, from: string, name: string, signature: string, body: unknown[]) => {
      client.sendSignal(at, from, name, signature, body);
    },

    hear: async (at: string, from: string, member: string, listener: (body: unknown[]) => void) => {
      client.signals.on(client.mangle(at, from, member), (body) => listener(body.map(plain)));
      const rule = `type='signal',path='${at}',interface='${from}',member='${member}'`;
      await new Promise<void>((resolve, reject) => {
        client.addMatch(rule, (error) => {
          if (error) reject(new Error(error.message));
          else resolve();
        });
      });
    },
  };
}

export type Bus = ReturnType<typeof joinBus>;

/** A value without the descriptions of types around every variant; dictionaries stay pairs. */
export function plain(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const [types, held] = value as [unknown, unknown];
  const isVariant =
    value.length === 2 &&
    Array.isArray(types) &&
    Array.isArray(held) &&
    types.length === 1 &&
    isType(types[0]);
  return isVariant ? plain(held[0]) : value.map(plain);
}

const isType = (value: unknown) =>
  typeof value === 'object' && value !== null && 'type' in value && 'child' in value;

export const record = (pairs: unknown): Record<string, unknown> =>
  Object.fromEntries(pairs as [string, unknown][]);
