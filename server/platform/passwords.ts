import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { WAITING_PASSWORDS } from './bounds.ts';
import { problems } from './errors.ts';

export interface Passwords {
  hash(password: string): Promise<string>;
  verify(password: string, stored: string): Promise<boolean>;
}

const COST = 2 ** 15;
const BLOCK = 8;
const PARALLEL = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
// scrypt needs 128 × N × r bytes and a little; Node's own ceiling is exactly that much.
const MEMORY = 2 * 128 * COST * BLOCK;

type Derive = (password: string, salt: Buffer, size: number, o: ScryptOptions) => Promise<Buffer>;
const derive = promisify(scrypt) as Derive;

/**
 * Each hash takes 32 MiB, a core, and a thread of the pool that file writes need too, so one is made
 * at a time, and only some more may wait.
 */
export function createPasswords(): Passwords {
  const queue: (() => void)[] = [];
  let isRunning = false;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (!isRunning) isRunning = true;
    else if (queue.length >= WAITING_PASSWORDS) throw problems.signInBusy();
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await work();
    } finally {
      // The place is handed over, not given back, so that nobody new slips in between.
      const next = queue.shift();
      if (next) next();
      else isRunning = false;
    }
  }

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const cost = { N: COST, r: BLOCK, p: PARALLEL, maxmem: MEMORY };
      const hash = await inTurn(() => derive(typed(password), salt, HASH_BYTES, cost));
      return ['scrypt', COST, BLOCK, PARALLEL, encode(salt), encode(hash)].join('$');
    },
    async verify(password, stored) {
      const [kind, N, r, p, salt = '', hash = ''] = stored.split('$');
      const expected = Buffer.from(hash, 'base64url');
      if (kind !== 'scrypt' || expected.length !== HASH_BYTES) return false;
      const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem: MEMORY };
      const actual = await inTurn(() =>
        derive(typed(password), Buffer.from(salt, 'base64url'), HASH_BYTES, cost),
      );
      return timingSafeEqual(actual, expected);
    },
  };
}

/** The same letters can arrive as different code points from different keyboards. */
function typed(password: string): string {
  return password.normalize('NFKC');
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64url');
}
