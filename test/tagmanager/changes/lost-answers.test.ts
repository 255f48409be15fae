import { describe, expect, it } from 'vitest';
import type { Definition } from '../../../server/tagmanager/api/schema.ts';
import type { NewChange } from '../../../server/tagmanager/changes/schema.ts';
import { fault } from './container.ts';
import { accept, ALL, deeds, resume } from './decisions.ts';
import { create, createWorld, proposed, update } from './parts.ts';
import type { World } from './parts.ts';

const text = (key: string, value: string) => ({ type: 'template', key, value });

/** Two tags, and the changes of both; the first is written before the second. */
async function waiting(more: NewChange[] = []) {
  const world = await createWorld();
  const { container } = world;
  container.put('tag', { name: 'A', type: 'html', parameter: [text('x', '1'), text('z', '3')] });
  container.put('tag', { name: 'B', type: 'html' });
  world.shoot();
  const parameter = [text('y', '2'), text('x', '1')];
  const ids = await proposed(world, [
    update('tag', '2', { name: 'B', type: 'html', notes: 'n' }),
    update('tag', '1', { name: 'A', type: 'html', parameter }),
    ...more,
  ]);
  return { world, ids };
}

/** The answer to what is written of A is lost, and it is kept in another form. */
function loseAnswers({ container }: World, asKept: (body: Definition) => Definition): void {
  const { api } = container;
  let lost = 0;
  const isMeant = (body: Definition) => String(body['name']).trim() === 'A' && lost++ === 0;
  container.api = {
    ...api,
    update: async (place, kind, id, body, fingerprint) => {
      if (!isMeant(body)) return api.update(place, kind, id, body, fingerprint);
      await api.update(place, kind, id, asKept(body), fingerprint);
      throw fault('unreachable');
    },
    create: async (place, kind, body) => {
      if (!isMeant(body)) return api.create(place, kind, body);
      await api.create(place, kind, asKept(body));
      throw fault('unreachable');
    },
  };
}

const views = async (world: World) => (await world.begin().list(world.tenantId, ALL)).reverse();
const statuses = async (world: World) => (await views(world)).map(({ status }) => status);
const audit = async (world: World) => (await deeds(world)).join('\n');

const reversed = ({ parameter, ...body }: Definition) => ({
  ...body,
  parameter: [...(parameter as unknown[])].reverse(),
});

describe('a write whose answer is lost', () => {
  it.each<[string, (body: Definition) => Definition]>([
    ['with its parameters in another order', reversed],
    [
      'with another parameter',
      (body) => ({ ...body, parameter: [...(body['parameter'] as unknown[]), text('own', '')] }),
    ],
    ['with fields of the tag manager', (body) => ({ ...body, tagFiringOption: 'oncePerEvent' })],
    ['with its name trimmed', (body) => ({ ...body, name: ' A ' })],
  ])('is recognised when it is kept %s', async (_, asKept) => {
    const { world, ids } = await waiting();
    loseAnswers(world, asKept);
    await accept(world, ids);
    expect(await statuses(world)).toEqual(['applied', 'applied']);
    expect(world.container.written).toHaveLength(2);
  });

  it('is not taken for done when what was to go is still there', async () => {
    const { world, ids } = await waiting();
    loseAnswers(world, (body) => ({
      ...body,
      parameter: [...(body['parameter'] as unknown[]), text('z', '3')],
    }));
    await accept(world, ids);
    expect(await statuses(world)).toEqual(['proposed', 'conflict']);
  });

  it('and is not recognised is left as a conflict, with both versions, and it is said', async () => {
    const { world, ids } = await waiting();
    loseAnswers(world, (body) => ({ ...body, parameter: [text('else', 'where')] }));
    const { failure } = await accept(world, ids);
    const [other, change] = await views(world);
    expect(change).toMatchObject({
      status: 'conflict',
      problem: expect.stringContaining('It may hold what Vedette wrote') as string,
    });
    expect(change?.theirs?.[0]?.after).toContain('where');
    expect(other?.status).toBe('proposed');
    const words = 'Not all of the batch could be taken back: Update tag "A".';
    expect(other?.problem).toContain(words);
    expect(failure?.next).toBe(words);
    expect(await audit(world)).toContain('It may hold what Vedette wrote');
    expect(world.container.find('tag', 'B')).not.toHaveProperty('notes');
  });
});

describe('somebody else’s object of the same name', () => {
  it('is not taken for ours when it does something else besides', async () => {
    const world = await createWorld();
    world.shoot();
    const filter = [{ type: 'equals', parameter: [text('arg0', '{{_event}}')] }];
    const ids = await proposed(world, [create('trigger', { name: 'A', type: 'click' })]);
    loseAnswers(world, (body) => ({ ...body, filter }));
    await accept(world, ids);
    expect(await statuses(world)).toEqual(['conflict']);
    expect(world.container.find('trigger', 'A')).toBeDefined();
  });

  it('is not deleted on the way back when it was only found after an interruption', async () => {
    const world = await createWorld();
    const { container } = world;
    world.shoot();
    const body = { name: 'A', type: 'click' };
    const ids = await proposed(world, [
      create('trigger', body),
      create('tag', { name: 'T', type: 'html' }),
    ]);
    // It dies right before the request, which never arrives.
    const whole = container.api;
    container.api = { ...whole, create: () => Promise.reject(new Error('It is dead.')) };
    await accept(world, ids);
    container.api = whole;
    container.put('trigger', body);
    const theirs = container.find('trigger', 'A');
    container.fate = (verb) => (verb === 'create' ? { code: 'refused' } : undefined);
    const { failure } = await resume(world);
    expect(container.find('trigger', 'A')).toEqual(theirs);
    const [trigger, tag] = await views(world);
    expect(trigger).toMatchObject({
      status: 'applied',
      problem: expect.stringContaining('may be somebody else’s') as string,
    });
    expect(tag?.status).toBe('proposed');
    expect(failure?.next).toContain('taken back: Create trigger "A"');
  });
});

describe('what cannot be taken back', () => {
  it('is called written, and the others do not say otherwise', async () => {
    const world = await createWorld();
    const { container } = world;
    world.shoot();
    const ids = await proposed(world, [
      create('trigger', { name: 'R', type: 'click' }),
      create('tag', { name: 'T', type: 'html' }),
    ]);
    container.fate = (verb) =>
      verb === 'delete' || (verb === 'create' && container.written.length > 0)
        ? { code: 'refused' }
        : undefined;
    const { failure } = await accept(world, ids);
    const [trigger, tag] = await views(world);
    expect(trigger).toMatchObject({
      status: 'applied',
      problem: 'Trigger "R" could not be taken back: It is refused.',
    });
    expect(trigger?.object_id).not.toBeNull();
    expect(tag?.status).toBe('proposed');
    expect(failure?.next).toContain('Not all of the batch could be taken back');
    expect(await audit(world)).toContain('failed Ann: Not taken back: Trigger "R" could not');
  });

  it('is nothing when the very first write was refused', async () => {
    const { world, ids } = await waiting();
    world.container.fate = (verb) => (verb === 'update' ? { code: 'refused' } : undefined);
    await accept(world, ids);
    expect((await views(world))[1]?.problem).toMatch(/^Nothing was written\. Tag "B": /);
  });
});
