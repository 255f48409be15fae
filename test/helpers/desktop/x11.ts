import { connect } from 'node:net';
import type { Socket } from 'node:net';

const ANY = 0;
const CLIENT_MESSAGE = 33;
const VIEWABLE = 2;
const OP = {
  ...{ attributes: 3, move: 12, geometry: 14, tree: 15, atom: 16, property: 20, send: 25 },
  ...{ focus: 42, extension: 98 },
};
/** Where keys lie on a keyboard, as the display numbers them. */
const KEYS = {
  ...{ Control: 37, Enter: 36, ',': 59 },
  ...{ '1': 10, '2': 11, '3': 12, '5': 14, q: 24, w: 25, r: 27 },
};
const [DOWN, UP] = [2, 3];
const WITH_EXTRA = 32;

export type Key = keyof typeof KEYS;

export interface ShownWindow {
  id: number;
  title: string;
  pid: number | undefined;
  isShown: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * As much of a display's protocol as a person needs to look at windows, close and move them:
 * the display of these tests has no window manager.
 */
export async function openX(display: string) {
  const socket = connect(`/tmp/.X11-unix/X${display.slice(1)}`);
  const read = reader(socket);
  socket.write(Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
  const head = await read(8);
  const setup = await read(head.readUInt16LE(6) * 4);
  if (head[0] !== 1) throw new Error(`The display refused: ${setup.toString('latin1')}`);
  const formats = 32 + Math.ceil(setup.readUInt16LE(16) / 4) * 4;
  const root = setup.readUInt32LE(formats + (setup[21] ?? 0) * 8);

  const atoms = new Map<string, number>();
  let turn: Promise<unknown> = Promise.resolve();

  /** A request with an answer; one at a time, so that none needs its number. */
  function ask(request: Buffer): Promise<Buffer | undefined> {
    const answer = turn.then(async () => {
      socket.write(request);
      for (;;) {
        const answer = await read(WITH_EXTRA);
        if (answer[0] === 0) return undefined;
        if (answer[0] !== 1) continue;
        return Buffer.concat([answer, await read(answer.readUInt32LE(4) * 4)]);
      }
    });
    turn = answer.catch(() => undefined);
    return answer;
  }

  async function atom(name: string): Promise<number> {
    const known = atoms.get(name);
    if (known !== undefined) return known;
    const answer = await ask(packed(OP.atom, 0, named(name)));
    const id = answer?.readUInt32LE(8) ?? 0;
    atoms.set(name, id);
    return id;
  }

  async function extension(name: string): Promise<number> {
    const answer = await ask(packed(OP.extension, 0, named(name)));
    if (answer?.[8] !== 1) throw new Error(`The display has no ${name}`);
    return answer[9] ?? 0;
  }

  async function property(window: number, name: string): Promise<Buffer | undefined> {
    const words = numbers(window, await atom(name), ANY, 0, 1024);
    const answer = await ask(packed(OP.property, 0, words));
    const format = answer?.[1] ?? 0;
    if (!answer || format === 0) return undefined;
    return answer.subarray(32, 32 + (answer.readUInt32LE(16) * format) / 8);
  }

  async function look(id: number): Promise<ShownWindow | undefined> {
    if (!(await property(id, 'WM_PROTOCOLS'))) return undefined;
    const attributes = await ask(packed(OP.attributes, 0, numbers(id)));
    const geometry = await ask(packed(OP.geometry, 0, numbers(id)));
    if (!attributes || !geometry) return undefined;
    const title = (await property(id, '_NET_WM_NAME')) ?? (await property(id, 'WM_NAME'));
    return {
      id,
      title: title?.toString() ?? '',
      pid: (await property(id, '_NET_WM_PID'))?.readUInt32LE(0),
      isShown: attributes[26] === VIEWABLE,
      x: geometry.readInt16LE(12),
      y: geometry.readInt16LE(14),
      width: geometry.readUInt16LE(16),
      height: geometry.readUInt16LE(18),
    };
  }

  return {
    windows: async (): Promise<ShownWindow[]> => {
      const tree = await ask(packed(OP.tree, 0, numbers(root)));
      const ids = tree
        ? Array.from({ length: tree.readUInt16LE(16) }, (_, at) => tree.readUInt32LE(32 + at * 4))
        : [];
      const all = [];
      for (const id of ids) all.push(await look(id));
      return all.filter((window) => window !== undefined);
    },

    /** What the cross in a window's corner does. */
    close: async (window: number): Promise<void> => {
      const words = numbers(window, await atom('WM_PROTOCOLS'), await atom('WM_DELETE_WINDOW'));
      const event = Buffer.concat([
        Buffer.from([CLIENT_MESSAGE, 32, 0, 0]),
        words,
        Buffer.alloc(16),
      ]);
      socket.write(packed(OP.send, 0, numbers(window, 0), event));
      await atom(`closed ${window}`);
    },

    place: async (window: number, x: number, y: number, width: number, height: number) => {
      socket.write(packed(OP.move, 0, numbers(window, 0b1111, x, y, width, height)));
      await atom(`placed ${window}`);
    },

    focus: async (window: number): Promise<void> => {
      socket.write(packed(OP.focus, 1, numbers(window, 0)));
      await atom(`focused ${window}`);
    },

    /** Real keys, all held down together, for what has the keyboard. */
    press: async (...keys: readonly Key[]): Promise<void> => {
      const test = await extension('XTEST');
      const fake = (kind: number, key: Key) => {
        const event = Buffer.alloc(32);
        event.set([kind, KEYS[key]]);
        socket.write(packed(test, 2, event));
      };
      for (const key of keys) fake(DOWN, key);
      for (const key of keys.toReversed()) fake(UP, key);
      await atom(`pressed ${keys.join()}`);
    },

    end: () => socket.destroy(),
  };
}

export type X = Awaited<ReturnType<typeof openX>>;

const numbers = (...values: readonly number[]) => Buffer.from(Uint32Array.from(values).buffer);

function named(name: string): Buffer {
  const bytes = Buffer.alloc(4 + Math.ceil(name.length / 4) * 4);
  bytes.writeUInt16LE(name.length);
  bytes.write(name, 4, 'latin1');
  return bytes;
}

function packed(op: number, detail: number, ...parts: readonly Buffer[]): Buffer {
  const head = Buffer.from([op, detail, 0, 0]);
  const request = Buffer.concat([head, ...parts]);
  request.writeUInt16LE(request.length / 4, 2);
  return request;
}

/** Hands out a socket's bytes in pieces of the size that is asked for. */
function reader(socket: Socket) {
  let held = Buffer.alloc(0);
  let look: (() => void) | undefined;
  let failed: Error | undefined;
  socket.on('data', (bytes: Buffer) => {
    held = Buffer.concat([held, bytes]);
    look?.();
  });
  socket.once('error', (error) => (failed = error));
  socket.once('close', () => {
    failed ??= new Error('The display is gone');
    look?.();
  });
  return async (size: number): Promise<Buffer> => {
    while (held.length < size && !failed) await new Promise<void>((wake) => (look = wake));
    if (failed && held.length < size) throw failed;
    const bytes = held.subarray(0, size);
    held = held.subarray(size);
    return bytes;
  };
}
