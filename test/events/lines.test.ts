import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sealed } from '../../server/events/intake.ts';
import { HttpError } from '../../server/platform/errors.ts';
import { openStore, textOf } from '../helpers/event-store.ts';
import { createRandom } from '../helpers/random.ts';
import { rounds } from '../helpers/soak.ts';

interface Rejected {
  detail: string;
  errors: { path: string; message: string }[];
  payload: string;
}

const HALF = '[{"source":"a","event_type":"b","data":{"\\ud800":{"\\ud800":1}}}]';

/** A store that takes bodies as the doors do, and what it holds of them once all is flushed. */
async function open() {
  const { intake, flusher, store, notices } = await openStore({ now: () => Date.UTC(2026, 0, 1) });

  /** Says whether it was taken. */
  async function send(door: 'events' | 'collect', body: Buffer, tenant = 'tenant') {
    try {
      const text = sealed(body);
      await (door === 'events' ? intake.batch(tenant, text) : intake.pixel(tenant, text));
      return true;
    } catch (error) {
      await intake.refused(tenant, door, error as HttpError, body);
      return false;
    }
  }

  async function refused(limit = 1000, tenant = 'tenant', skip = 0): Promise<Rejected[]> {
    await flusher.flush();
    expect(notices).toEqual([]);
    return JSON.parse(await textOf(await store.refused(tenant, { skip, limit }))) as Rejected[];
  }
  return { ...{ intake, store }, send, refused };
}

/** Text that is hard to carry: halves of characters, quotes, line breaks, what paths are made of. */
const text = fc.string({
  unit: fc.constantFrom(...['\ud800', '\udc00', '😀', 'é', '"', '\\', '\0', '\n', '\r', '.', 'a']),
  maxLength: 6,
});
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    ...[text, fc.integer(), fc.constantFrom(null, 1e400, 0.1)],
    ...[fc.array(tie('any'), { maxLength: 3 }), tie('object')],
  ),
  object: fc.dictionary(text, tie('any'), { maxKeys: 3 }),
}));
const data = fc.oneof({ weight: 3, arbitrary: value.object }, value.any);
const name = fc.oneof({ weight: 3, arbitrary: fc.constant('a') }, text, fc.constant(undefined));
const shapes = {
  events: fc.array(fc.record({ source: name, event_type: name, data }), { maxLength: 3 }),
  collect: fc.record({
    source: name,
    events: fc.array(fc.record({ type: name, data, metadata: data }), { maxLength: 3 }),
  }),
};
const request = (door: 'events' | 'collect') =>
  fc
    .tuple(
      fc.oneof(
        shapes[door].map((shape) => JSON.stringify(shape)),
        fc.json(),
      ),
      fc.option(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { freq: 3 }),
    )
    .map(([json, damage]) => {
      const body = Buffer.from(json);
      if (damage && body.length > 0) body[damage[0] % body.length] = damage[1];
      return { door, body };
    });

it('any body, taken or refused, gives lines that the database reads', async () => {
  const { store, send, refused } = await open();
  const all = { taken: 0, refused: 0 };
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(request('events'), request('collect')), { minLength: 40, maxLength: 80 }),
      async (requests) => {
        const tenant = `tenant-${run++}`;
        const taken = await Promise.all(requests.map(({ door, body }) => send(door, body, tenant)));
        const kept = await refused(1000, tenant);
        expect(kept).toHaveLength(taken.filter((was) => !was).length);
        all.refused += kept.length;
        all.taken += (await store.extent(tenant)).events;
      },
    ),
    { numRuns: 10 * rounds(1, 50), seed: createRandom().seed },
  );
  expect(all.refused).toBeGreaterThan(0);
  expect(all.taken).toBeGreaterThan(0);
});

it('a refusal that names half of a character is kept and listed', async () => {
  const { send, refused } = await open();
  await send('events', Buffer.from(HALF));
  expect(await refused()).toMatchObject([
    { errors: [{ path: '[0].data.\ufffd' }, { path: '[0].data' }], payload: HALF },
  ]);
});

it('a refusal quotes a little of keys and bodies of megabytes', async () => {
  const { send, refused } = await open();
  const key = 'k'.repeat(2 << 20);
  const halves = `{${Array.from({ length: 2000 }, (_, i) => `"${i}":"\\udfff"`).join()}}`;
  await send(
    'events',
    Buffer.from(`[{"source":"a","event_type":"b","data":{"${key}":${halves}}}]`),
  );
  await send('events', Buffer.alloc(1 << 20, 0xff));
  const [binary, long] = await refused();
  expect(Buffer.byteLength(binary?.payload ?? '')).toBe(65_535);
  expect(Buffer.byteLength(long?.payload ?? '')).toBe(65_536);
  expect(long?.errors).toHaveLength(100);
  for (const { path } of long?.errors ?? []) expect(path.length).toBeLessThanOrEqual(200);
  expect(long?.detail.length).toBeLessThanOrEqual(1000);
});

it('refusals are kept up to a number of bytes for each tenant, the newest of them', async () => {
  const { intake, refused } = await open();
  const why = new HttpError(422, 'no');
  // With its quotes, two letters of words and a list of nothing it comes to 64 KiB.
  const payload = Buffer.alloc(65_536 - 6, 0x61);
  await intake.refused('other', 'events', why, payload);
  for (const part of [0, 1]) {
    const numbers = Array.from({ length: 550 }, (_, n) => String(part * 550 + n).padStart(4, '0'));
    await Promise.all(
      numbers.map((number) => {
        payload.write(number);
        return intake.refused('tenant', 'events', why, payload);
      }),
    );
  }
  const [newest] = await refused(1);
  expect(newest?.payload).toMatch(/^1099/);
  const oldest = await refused(10, 'tenant', 1020);
  expect(oldest).toHaveLength(4);
  expect(oldest[3]?.payload).toMatch(/^0076/);
  expect(await refused(1, 'other')).toHaveLength(1);
});
