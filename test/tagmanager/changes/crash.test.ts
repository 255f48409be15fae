import { describe, expect, it } from 'vitest';
import { TagManagerFault } from '../../../server/tagmanager/faults.ts';
import { createMortal, createWorld, furnish, openChangesDatabase, proposed } from './parts.ts';
import type { World } from './parts.ts';
import { outcome, settle } from './settle.ts';
import type { Fate } from './stand-in.ts';

async function furnished(database?: World['database']) {
  const world = await createWorld(database);
  const changes = furnish(world);
  world.shoot();
  const before = world.standIn.content();
  return { world, before, ids: await proposed(world, changes) };
}

type Furnished = Awaited<ReturnType<typeof furnished>>;

async function acceptWith({ world, ids }: Furnished, mortal = createMortal()): Promise<void> {
  const changes = world.begin(mortal);
  await changes.accept(world.asking(), ids).catch(() => undefined);
  await changes.jobs.idle(world.tenantId);
}

/** The writes that are meant, counted from one, are refused. */
function refuse(
  { world: { standIn } }: Furnished,
  code: TagManagerFault['code'],
  isMeant: (write: number) => boolean,
): void {
  let writes = 0;
  standIn.fate = (verb) =>
    ['create', 'update', 'delete'].includes(verb) && isMeant(++writes) ? { code } : undefined;
}

/** What it looks like when all of it was written. */
async function finished(): Promise<{ after: unknown; calls: number; deeds: number }> {
  const made = await furnished();
  const mortal = createMortal();
  await acceptWith(made, mortal);
  expect(await outcome(made.world, made.ids)).toBe('all');
  const { standIn } = made.world;
  return { after: standIn.content(), calls: standIn.calls.length, deeds: mortal.deeds() };
}

function expectOnce({ world }: Furnished, most: number): void {
  const counts = new Map<string, number>();
  for (const { kind, name } of world.standIn.written) {
    counts.set(`${kind}/${name}`, (counts.get(`${kind}/${name}`) ?? 0) + 1);
  }
  for (const [object, count] of counts) expect(count, object).toBeLessThanOrEqual(most);
}

/** Taking back is killed at every other place; in the soak at each. */
const STEP = process.env['VEDETTE_SOAK'] === '1' ? 1 : 2;

describe('writing accepted changes', () => {
  it('does all of it, and each write once', async () => {
    const made = await furnished();
    await acceptWith(made);
    expect(await outcome(made.world, made.ids)).toBe('all');
    expect(made.world.standIn.content()).toEqual({
      'variable/Currency': { type: 'k' },
      'tag/Leaves old': { type: 'html', notes: 'new', firing: ['All'] },
      'tag/Stays': { type: 'html' },
      'tag/Ours': { type: 'T', firing: ['All'] },
      'trigger/All': { type: 'customEvent' },
      'template/T': { templateData: 'code' },
    });
    expectOnce(made, 1);
    expect(made.world.begun).toBe(1);
  });

  it('ends with all or nothing wherever the process is killed, and goes on by itself', async () => {
    const { after, deeds } = await finished();
    const database = await openChangesDatabase();
    expect(deeds).toBeGreaterThan(25);
    const ends = new Set<string>();
    for (let n = 1; n <= deeds + 1; n++) {
      const made = await furnished(database);
      await acceptWith(made, createMortal(n));
      await settle(made.world);
      const end = await outcome(made.world, made.ids);
      ends.add(end);
      const where = `killed before deed ${n}`;
      expect(made.world.standIn.content(), where).toEqual(end === 'all' ? after : made.before);
      expectOnce(made, 1);
    }
    expect(ends).toEqual(new Set(['all', 'nothing']));
  });

  it.each([
    ['does not arrive', { code: 'unreachable' }],
    ['is carried out without an answer', { code: 'unreachable', after: true }],
  ] as [string, Fate][])('writes everything once when any one request %s', async (_, fate) => {
    const { after, calls } = await finished();
    const database = await openChangesDatabase();
    for (let n = 1; n <= calls; n++) {
      const made = await furnished(database);
      made.world.standIn.fate = (_verb, call) => (call === n ? fate : undefined);
      await acceptWith(made);
      await settle(made.world);
      const end = await outcome(made.world, made.ids);
      expect(made.world.standIn.content(), `request ${n}`).toEqual(
        end === 'all' ? after : made.before,
      );
      expectOnce(made, 1);
    }
  });

  it.each(['refused', 'no_permission', 'conflict'] as const)(
    'takes everything back when any one write is %s',
    async (code) => {
      const database = await openChangesDatabase();
      for (let n = 1; n <= 8; n++) {
        const made = await furnished(database);
        const { standIn, tenantId } = made.world;
        refuse(made, code, (write) => write === n);
        await acceptWith(made);
        expect(await outcome(made.world, made.ids), `write ${n}`).toBe('nothing');
        expect(standIn.content(), `write ${n}`).toEqual(made.before);
        expectOnce(made, 2);
        const open = { status: 'open', skip: 0, limit: 100 } as const;
        const problems = (await made.world.begin().list(tenantId, open)).map(
          ({ problem }) => problem,
        );
        for (const problem of problems) expect(problem).toMatch(/taken back|Go on/);
        // The same again, now that nothing is in the way.
        standIn.fate = () => undefined;
        await acceptWith(made);
        expect(await outcome(made.world, made.ids), `write ${n}, again`).toBe('all');
      }
    },
  );

  it.each(['quota_day', 'missing_scope', 'api_disabled'] as const)(
    'waits with what is written when any one write but the first is %s, and goes on',
    async (code) => {
      const database = await openChangesDatabase();
      for (let n = 1; n <= 8; n++) {
        const made = await furnished(database);
        const { standIn, tenantId } = made.world;
        refuse(made, code, (write) => write >= n);
        await acceptWith(made);
        const open = { status: 'open', skip: 0, limit: 100 } as const;
        const waiting = await made.world.begin().list(tenantId, open);
        expect(new Set(waiting.map(({ status }) => status)), `write ${n}`).toEqual(
          // Where nothing is written, nothing has to wait.
          new Set([n === 1 ? 'proposed' : 'accepted']),
        );
        standIn.fate = () => undefined;
        if (n === 1) await acceptWith(made);
        else await settle(made.world);
        expect(await outcome(made.world, made.ids), `write ${n}, again`).toBe('all');
        expectOnce(made, 2);
      }
    },
  );

  it('ends with nothing wherever it is killed while it takes everything back', async () => {
    const database = await openChangesDatabase();
    /** The last write of all is the one that is refused. */
    const refuseLast = ({ world: { standIn } }: Furnished, refused: () => void) => {
      standIn.fate = (verb) => {
        if (verb !== 'delete' || standIn.calls.filter((one) => one.verb === verb).length !== 3)
          return;
        refused();
        return { code: 'refused' };
      };
    };
    const whole = createMortal();
    let first = 0;
    const example = await furnished(database);
    refuseLast(example, () => (first = whole.deeds()));
    await acceptWith(example, whole);
    expect(example.world.standIn.content()).toEqual(example.before);
    for (let n = first; n <= whole.deeds(); n += STEP) {
      const made = await furnished(database);
      refuseLast(made, () => undefined);
      await acceptWith(made, createMortal(n));
      await settle(made.world);
      const end = await outcome(made.world, made.ids);
      // Killed before the refusal was noted, it was not refused a second time.
      if (end === 'all') expect(n).toBeLessThan(first + 4);
      else expect(made.world.standIn.content(), `killed before deed ${n}`).toEqual(made.before);
      expectOnce(made, 2);
    }
  });

  it('ends too when the words of a refusal have half a character', async () => {
    const made = await furnished();
    const { standIn, tenantId } = made.world;
    const words = 'It says no \ud83d, \0never';
    standIn.api.update = () => Promise.reject(new TagManagerFault('refused', words, 'Go on.'));
    await acceptWith(made);
    expect(await outcome(made.world, made.ids)).toBe('nothing');
    const said = await made.world.begin().audit(tenantId, { skip: 0, limit: 100 });
    expect(said.map((one) => one.words).join()).toContain('It says no \ufffd, never');
  });
});
