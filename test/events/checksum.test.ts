import { describe, expect, it } from 'vitest';
import { createLineCheck, withChecksums } from '../../server/events/checksum.ts';
import { createRandom } from '../helpers/random.ts';

const large = Buffer.from(JSON.stringify({ text: 'é'.repeat(20_000) }));
const lines = [
  { pieces: ['{"a":1}\n'] },
  { pieces: ['{"stem":"x","items":', large, '}\n'] },
  { pieces: ['{"b":"', Buffer.from('ü').toString('latin1'), '"}\n'] },
];
const written = Buffer.concat(withChecksums(lines));

/** Whether each line is as it was written, read in parts of some size. */
function checked(text: Buffer, part = text.length): boolean[] {
  const check = createLineCheck();
  const sound: boolean[] = [];
  for (let start = 0; start < text.length;) {
    const end = text.indexOf(10, start);
    const stop = Math.min(start + part, end < 0 ? text.length : end + 1);
    check.add(text.subarray(start, stop));
    if (text[stop - 1] === 10) sound.push(check.end());
    start = stop;
  }
  return sound;
}

describe('a line of the journal', () => {
  it('is the JSON that was handed in, with a checksum in front', () => {
    const texts = written.toString().trim().split('\n');
    for (const [i, { pieces }] of lines.entries()) {
      const json = Buffer.concat(pieces.map((piece) => Buffer.from(piece as string, 'latin1')));
      const { crc, ...rest } = JSON.parse(texts[i] ?? '') as { crc: string };
      expect(crc).toMatch(/^[0-9a-f]{8}$/);
      expect(rest).toEqual(JSON.parse(json.toString()));
    }
  });

  it('is sound however it is cut into parts', () => {
    for (const part of [1, 7, 18, 19, 1000, written.length]) {
      expect(checked(written, part)).toEqual([true, true, true]);
    }
  });

  it('is not sound with one bit of it flipped, wherever it is', () => {
    const random = createRandom();
    const first = written.indexOf(10);
    const places = [
      ...Array(first).keys(),
      ...Array.from({ length: 200 }, () => random.whole(first + 1, written.length - 1)),
    ];
    for (const at of places) {
      const text = Buffer.from(written);
      text[at] = (text[at] ?? 0) ^ (1 << random.whole(0, 7));
      expect(checked(text), `byte ${at}, seed ${random.seed}`).toContain(false);
    }
  });
});
