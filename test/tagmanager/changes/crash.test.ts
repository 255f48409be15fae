import { describe, expect, it } from 'vitest';
import type { FaultCode } from '../../../server/tagmanager/connection/schema.ts';
import { TagManagerFault } from '../../../server/tagmanager/faults.ts';
import type { Fate } from './container.ts';
import { deeds as said, OPEN, outcome, settle, waiting } from './decisions.ts';
import { createMortal, deathsAmong, firstOfEach } from './parts.ts';
import type { World } from './parts.ts';
import { soaking } from '../../helpers/soak.ts';

/** One of each action, some standing on others; the soak is not content with that. */
const FEW = soaking ? undefined : [1, 2, 4, 5];

async function furnished(pick?: readonly number[]) {
  const made = await waiting(pick);
  return { ...made, before: made.world.container.content() };
}

type Furnished = Awaited<ReturnType<typeof furnished>>;

async function acceptWith({ world, ids }: Furnished, mortal = createMortal()): Promise<void> {
  const changes = world.begin(mortal);
  await changes.accept(world.asking(), ids).catch(() => undefined);
  await changes.jobs.idle(world.tenantId);
}

/** The writes that are meant, counted from one, are refused. */
function refuse(
  { world: { container } }: Furnished,
  code: FaultCode,
  isMeant: (write: number) => boolean,
): void {
  let writes = 0;
  container.fate = (verb) =>
    ['create', 'update', 'delete'].includes(verb) && isMeant(++writes) ? { code } : undefined;
}

/** What it looks like when all of it was written. */
async function finished() {
  const made = await furnished(FEW);
  const mortal = createMortal();
  await acceptWith(made, mortal);
  expect(await outcome(made.world, made.ids)).toBe('all');
  const { container } = made.world;
  return { after: container.content(), calls: container.calls, deeds: mortal.deeds };
}

async function expectAllOrNothing(made: Furnished, after: unknown, where: string) {
  const end = await outcome(made.world, made.ids);
  expect(made.world.container.content(), where).toEqual(end === 'all' ? after : made.before);
  expectOnce(made.world, 1);
  return end;
}

function expectOnce({ container }: World, most: number): void {
  const counts = new Map<string, number>();
  for (const { kind, name } of container.written) {
    counts.set(`${kind}/${name}`, (counts.get(`${kind}/${name}`) ?? 0) + 1);
  }
  for (const [object, count] of counts) expect(count, object).toBeLessThanOrEqual(most);
}

/** Which of the eight writes something befalls; in the soak, each of them. */
const among = (...writes: number[]) => (soaking ? [1, 2, 3, 4, 5, 6, 7, 8] : writes);

describe('writing accepted changes', () => {
  it('does all of it, each once, what others need before them and deletes last', async () => {
    const made = await furnished();
    await acceptWith(made);
    expect(await outcome(made.world, made.ids)).toBe('all');
    const { container } = made.world;
    expect(container.content()).toEqual({
      'variable/Currency': { type: 'k' },
      'tag/Leaves old': { type: 'html', notes: 'new', firing: ['All'] },
      'tag/Stays': { type: 'html' },
      'tag/Ours': { type: 'T', firing: ['All'] },
      'trigger/All': { type: 'pageview' },
      'template/T': { templateData: '___INFO___\nof T' },
    });
    expect(container.written.map(({ verb, kind, name }) => `${verb} ${kind} ${name}`)).toEqual([
      ...['create template T', 'update variable Currency', 'create trigger All'],
      ...['create tag Ours', 'update tag Leaves old'],
      ...['delete tag Goes', 'delete trigger Old', 'delete trigger Older'],
    ]);
    await expect.poll(() => made.world.begun).toBe(1);
  });

  it('ends with all or nothing wherever the process is killed, and goes on by itself', async () => {
    const { after, deeds } = await finished();
    const ends = new Set<string>();
    const atTheEnd = deeds.lastIndexOf('write') + 1;
    for (const n of new Set([...deathsAmong(deeds), atTheEnd])) {
      const made = await furnished(FEW);
      await acceptWith(made, createMortal(n));
      await settle(made.world);
      ends.add(await expectAllOrNothing(made, after, `killed before deed ${n}`));
    }
    expect(ends).toEqual(new Set(['all', 'nothing']));
  });

  it.each([
    ['does not arrive', { code: 'unreachable' }],
    ['is carried out without an answer', { code: 'unreachable', after: true }],
  ] as [string, Fate][])('writes everything once when any one request %s', async (_, fate) => {
    const { after, calls } = await finished();
    for (const n of firstOfEach(calls)) {
      const made = await furnished(FEW);
      made.world.container.fate = (_verb, call) => (call === n ? fate : undefined);
      await acceptWith(made);
      await settle(made.world);
      await expectAllOrNothing(made, after, `request ${n}`);
    }
  });

  it.each([
    ['refused', among(1, 3, 8)],
    ['no_permission', among(5)],
    ['conflict', among(2, 7)],
  ] as const)('takes everything back when any one write is %s', async (code, writes) => {
    for (const n of writes) {
      const made = await furnished();
      const { container, tenantId } = made.world;
      refuse(made, code, (write) => write === n);
      await acceptWith(made);
      expect(await outcome(made.world, made.ids), `write ${n}`).toBe('nothing');
      expect(container.content(), `write ${n}`).toEqual(made.before);
      expectOnce(made.world, 2);
      for (const { problem } of await made.world.begin().list(tenantId, OPEN)) {
        expect(problem).toMatch(/taken back|Go on/);
      }
      // The same again, now that nothing is in the way.
      container.fate = () => undefined;
      await acceptWith(made);
      expect(await outcome(made.world, made.ids), `write ${n}, again`).toBe('all');
    }
  });

  it.each([
    ['quota_day', among(1, 2, 8)],
    ['missing_scope', among(5)],
    ['api_disabled', among(6)],
  ] as const)(
    'waits with what is written when any one write but the first is %s, and goes on',
    async (code, writes) => {
      for (const n of writes) {
        const made = await furnished();
        const { container, tenantId } = made.world;
        refuse(made, code, (write) => write >= n);
        await acceptWith(made);
        const waiting = await made.world.begin().list(tenantId, OPEN);
        expect(new Set(waiting.map(({ status }) => status)), `write ${n}`).toEqual(
          // Where nothing is written, nothing has to wait.
          new Set([n === 1 ? 'proposed' : 'accepted']),
        );
        container.fate = () => undefined;
        if (n === 1) await acceptWith(made);
        else await settle(made.world);
        expect(await outcome(made.world, made.ids), `write ${n}, again`).toBe('all');
        expectOnce(made.world, 2);
      }
    },
  );

  it('ends with nothing wherever it is killed while it takes everything back', async () => {
    /** The last write of all is the one that is refused. */
    const refuseLast = ({ world: { container } }: Furnished, refused: () => void) => {
      container.fate = (verb) => {
        const deletes = container.calls.filter((one) => one === 'delete').length;
        if (verb !== 'delete' || deletes !== (FEW ? 2 : 3)) return;
        refused();
        return { code: 'refused' };
      };
    };
    const whole = createMortal();
    let first = 0;
    const example = await furnished(FEW);
    refuseLast(example, () => (first = whole.deeds.length));
    await acceptWith(example, whole);
    expect(example.world.container.content()).toEqual(example.before);
    for (const i of deathsAmong(whole.deeds.slice(first - 1))) {
      const n = first - 1 + i;
      const made = await furnished(FEW);
      refuseLast(made, () => undefined);
      await acceptWith(made, createMortal(n));
      await settle(made.world);
      const end = await outcome(made.world, made.ids);
      // Killed before the refusal was noted, it was not refused a second time.
      if (end === 'all') expect(n).toBeLessThan(first + 4);
      else expect(made.world.container.content(), `killed before deed ${n}`).toEqual(made.before);
      expectOnce(made.world, 2);
    }
  });

  it('ends too when the words of a refusal have half a character', async () => {
    const made = await furnished();
    const words = 'It says no \ud83d, \0never';
    made.world.container.api.update = () =>
      Promise.reject(new TagManagerFault('refused', words, 'Go on.'));
    await acceptWith(made);
    expect(await outcome(made.world, made.ids)).toBe('nothing');
    expect((await said(made.world)).join()).toContain('It says no \ufffd, never');
  });
});
