import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nameOf } from '../../../server/tagmanager/api/api.ts';
import type { Definition, Kind } from '../../../server/tagmanager/api/schema.ts';
import type { NewChange } from '../../../server/tagmanager/changes/schema.ts';
import { HttpError } from '../../../server/platform/errors.ts';
import type { Fate } from './container.ts';
import { ALL, isLeft, outcome, settle } from './decisions.ts';
import { create, createMortal, createWorld, remove, update } from './parts.ts';
import type { World } from './parts.ts';
import { soaking } from '../../helpers/soak.ts';

/** What befalls the writing: at the n-th deed it dies, at the n-th request something goes wrong. */
const fates: fc.Arbitrary<Fate> = fc.constantFrom<Fate[]>(
  { code: 'unreachable' },
  { code: 'unreachable', after: true },
  { code: 'refused' },
  { code: 'no_permission' },
  { code: 'conflict' },
  { code: 'grant_ended' },
);

const story = fc.record({
  triggers: fc.integer({ min: 1, max: 4 }),
  tags: fc.array(fc.array(fc.nat(3), { maxLength: 2 }), { maxLength: 4 }),
  wishes: fc.array(
    fc.record({
      action: fc.constantFrom('create', 'update', 'delete'),
      tag: fc.boolean(),
      which: fc.nat(3),
      on: fc.nat(5),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  deaths: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 2 }),
  losses: fc.array(fc.tuple(fc.integer({ min: 1, max: 25 }), fates), { maxLength: 3 }),
});

function furnish({ container }: World, triggers: number, tags: number[][]): void {
  for (let i = 0; i < triggers; i++) container.put('trigger', { name: `R${i}`, type: 'click' });
  for (const [i, on] of tags.entries()) {
    const firing = [...new Set(on.map((one) => String((one % triggers) + 1)))];
    container.put('tag', { name: `T${i}`, type: 'html', firingTriggerId: firing });
  }
}

function changeOf(
  wish: { action: string; tag: boolean; which: number; on: number },
  i: number,
  triggers: number,
): NewChange {
  const kind: Kind = wish.tag ? 'tag' : 'trigger';
  const id = String(wish.which + 1 + (wish.tag ? triggers : 0));
  const body: Definition = { name: `N${i}`, type: wish.tag ? 'html' : 'click', notes: `by ${i}` };
  if (wish.tag)
    body['firingTriggerId'] = wish.on > 3 ? [] : [wish.on > 2 ? 'change:new' : String(wish.on + 1)];
  if (wish.action === 'create') return create(kind, body, `made${i}`);
  return wish.action === 'update' ? update(kind, id, body) : remove(kind, id);
}

/** As many of the wishes as can be proposed, one after the other. */
async function propose(world: World, wishes: NewChange[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [i, wish] of wishes.entries()) {
    const body = JSON.stringify(wish).includes('change:new');
    const trigger = create('trigger', { name: `All ${i}`, type: 'x' }, 'new');
    try {
      const views = await world.begin().propose(world.asking(), body ? [wish, trigger] : [wish]);
      ids.push(...views.map(({ id }) => id));
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
    }
  }
  return ids;
}

it('ends with all or nothing, whatever befalls whatever is written', async () => {
  const ends = { all: 0, nothing: 0 };
  await fc.assert(
    fc.asyncProperty(story, async ({ triggers, tags, wishes, deaths, losses }) => {
      const world = await createWorld();
      const { container } = world;
      furnish(world, triggers, tags);
      world.shoot();
      const before = container.content();
      const ids = await propose(
        world,
        wishes.map((wish, i) => changeOf(wish, i, triggers)),
      );
      if (ids.length === 0) return;
      const wanted = (
        await Promise.all(ids.map((id) => world.begin().get(world.tenantId, id)))
      ).map(({ action, kind, name, before: old, after }) => ({ action, kind, name, old, after }));

      // One refusal is enough to turn back; a second would strike the way back itself.
      let refusals = 0;
      container.fate = (_verb, call) => {
        const fate = losses.find(([n]) => n === call)?.[1];
        if (fate === undefined || fate.code === 'unreachable' || fate.code === 'grant_ended')
          return fate;
        return refusals++ === 0 ? fate : undefined;
      };
      for (const n of [...deaths, Infinity]) {
        const changes = world.begin(createMortal(n));
        const status = await world.begin().get(world.tenantId, ids[0] as string);
        if (status.status === 'accepted') await changes.start().catch(() => undefined);
        else if (status.status === 'proposed') {
          await changes.accept(world.asking(), ids).catch(() => undefined);
        }
        await changes.jobs.idle(world.tenantId);
      }
      container.fate = () => undefined;
      await settle(world);

      const end = await outcome(world, ids);
      ends[end]++;
      if (end === 'nothing') {
        // What was only found after a death was left, and is said to be.
        const all = await world.begin().list(world.tenantId, ALL);
        const left = all.filter(isLeft).map(({ kind, name }) => `${kind}/${name}`);
        const content = Object.entries(container.content()).filter(([key]) => !left.includes(key));
        expect(Object.fromEntries(content)).toEqual(before);
        return;
      }
      for (const { action, kind, name, after, old } of wanted) {
        const object = container.find(kind, name);
        if (action === 'delete') expect(container.find(kind, nameOf(old ?? {}))).toBeUndefined();
        else expect(object?.['notes']).toBe(after?.['notes']);
      }
    }),
    soaking ? { numRuns: 300 } : { numRuns: 10, seed: 7 },
  );
  expect(ends.all).toBeGreaterThan(2);
  expect(ends.nothing).toBeGreaterThan(2);
});
