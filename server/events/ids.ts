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
  let count = 0;

  return (now: number): string => {
    if (now > lastTime) {
      lastTime = now;
      count = 0;
    } else if (++count > 0xfff) {
      lastTime++;
      count = 0;
    }
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const time = lastTime.toString(16).padStart(12, '0');
    let tail = '';
    for (const end = used + 6; used < end; used++) tail += HEX[pool[used] as number] as string;
    // The variant takes the two highest bits after the third dash: 8, 9, a or b.
    const variant = HEX[0x80 | (Number.parseInt(tail.slice(0, 2), 16) & 0x3f)] as string;
    return (
      time.slice(0, 8) +
      '-' +
      time.slice(8) +
      '-7' +
      (HEX3[count] as string) +
      '-' +
      variant +
      tail.slice(2, 4) +
      '-' +
      tail.slice(4)
    );
  };
}

export type IdStems = ReturnType<typeof createIdStems>;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const HEX3 = Array.from({ length: 4096 }, (_, value) => value.toString(16).padStart(3, '0'));
