import { randomFillSync } from 'node:crypto';

/**
 * Event ids are UUIDv7, made from two halves: the appliance gives each request a stem of 32
 * characters, and the store appends the place of the event within its request as four hex digits.
 * So a journal line carries one stem however many events it holds, and replaying it makes the
 * same ids again.
 *
 * Stems rise, even within a millisecond and when the clock is set back, so that an id is also a
 * place in the live tail. `newest` is the time in the newest id already stored.
 */
export function createIdStems(newest = 0) {
  const pool = new Uint8Array(6 * 256);
  let used = pool.length;
  let lastTime = newest;
  let front = frontOf(newest);
  let count = 0;

  return (now: number): string => {
    if (now > lastTime) {
      lastTime = now;
      front = frontOf(now);
      count = 0;
    } else if (++count > 0xfff) {
      front = frontOf(++lastTime);
      count = 0;
    }
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const hex = () => HEX[pool[used++] as number] as string;
    // The two highest bits behind the third dash say which kind of UUID it is.
    const variant = HEX[0x80 | ((pool[used++] as number) & 0x3f)] as string;
    return `${front}${HEX3[count] as string}-${variant}${hex()}-${hex()}${hex()}${hex()}${hex()}`;
  };
}

function frontOf(time: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7`;
}

export type IdStems = ReturnType<typeof createIdStems>;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const HEX3 = Array.from({ length: 4096 }, (_, value) => value.toString(16).padStart(3, '0'));
