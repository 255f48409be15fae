import { describe, expect, it } from 'vitest';
import { allEventsTrigger, ourTag } from '../../../server/tagmanager/changes/install-parts.ts';
import type { OurTag, OurTemplate } from '../../../server/tagmanager/snapshot/schema.ts';
import { templateFor } from '../../../server/tagmanager/template.ts';
import { code } from './container.ts';
import { accept, deeds } from './decisions.ts';
import { createWorld } from './parts.ts';
import type { World } from './parts.ts';

const URL = 'https://events.example';
const OTHER = 'https://other.example';

const template = (more: Partial<OurTemplate> = {}): OurTemplate => ({
  ...{ id: '1', name: 'Vedette', origin: 'local', state: 'current', sends_to: URL, ...more },
});
const tag = (): OurTag => {
  const seen = { fires_on: ['All events'], blocked_by: [], active: true, all_events: true };
  return { id: '3', name: 'Vedette', template_id: '1', paused: false, ...seen };
};

/** Everything there and right, but for what is changed. */
async function installed(
  body: Record<string, unknown> = {},
  ours: World['ours'] = { templates: [template()], tags: [tag()] },
) {
  const world = await createWorld();
  const { container } = world;
  const id = container.put('template', { name: 'Vedette', templateData: templateFor(URL) });
  const type = `cvt_${container.place().containerId}_${id}`;
  container.put('trigger', allEventsTrigger('Everything'));
  container.put('tag', ourTag('Vedette', type, 'vdt_good', '2'));
  container.put('trigger', { name: 'Else', type: 'pageview' });
  container.put('variable', { name: 'Key', type: 'v' });
  container.edit('tag', '3', body);
  world.ours = ours;
  world.shoot();
  return world;
}

const install = (world: World, url?: string, who?: string) =>
  world.begin().install(world.asking(who), url);
const detail = (world: World, id = '') => world.begin().get(world.tenantId, id);

async function bodies(world: World, url?: string) {
  const views = await install(world, url);
  const details = await Promise.all(views.map(({ id }) => detail(world, id)));
  return details.map(({ action, kind, after }) => ({ action, kind, after }));
}

describe('installing the template and its tag', () => {
  it('proposes all of it where nothing is, and writes it in one go', async () => {
    const world = await createWorld();
    world.shoot();
    const views = await install(world);
    expect(views.map(({ action, kind, name }) => [action, kind, name])).toEqual([
      ['create', 'template', 'Vedette'],
      ['create', 'trigger', 'All events'],
      ['create', 'tag', 'Vedette'],
    ]);
    await accept(
      world,
      views.map(({ id }) => id),
    );
    const { container } = world;
    const template = container.find('template', 'Vedette');
    expect(template?.['templateData']).toBe(templateFor(URL));
    expect(container.find('trigger', 'All events')).toMatchObject({
      type: 'customEvent',
      customEventFilter: [
        {
          type: 'matchRegex',
          parameter: [
            { type: 'template', key: 'arg0', value: '{{_event}}' },
            { type: 'template', key: 'arg1', value: '.*' },
          ],
        },
      ],
    });
    expect(container.find('tag', 'Vedette')).toMatchObject({
      type: `cvt_${container.place().containerId}_${String(template?.['templateId'])}`,
      firingTriggerId: [container.find('trigger', 'All events')?.['triggerId']],
      parameter: expect.arrayContaining([
        { type: 'template', key: 'apiKey', value: 'vdt_good' },
      ]) as unknown,
    });
  });

  it('proposes nothing where all of it is there and right', async () => {
    expect(await install(await installed())).toEqual([]);
  });

  it('answers with the same proposals when it is asked again, and with new ones for a new aim', async () => {
    const world = await createWorld();
    world.shoot();
    const ids = (await install(world)).map(({ id }) => id);
    expect((await install(world)).map(({ id }) => id)).toEqual(ids);
    const next = await install(world, OTHER, 'Key "CI"');
    expect(next).toHaveLength(3);
    expect((await detail(world, next[0]?.id)).after).toMatchObject({
      templateData: templateFor(OTHER),
    });
    const problem = 'Replaced by a newer proposal from Key "CI".';
    expect(await detail(world, ids[0])).toMatchObject({ status: 'rejected', problem });
    const said = await deeds(world);
    expect(said).toContain(`replaced Key "CI": Create template "Vedette": ${problem}`);
    expect(said.join('\n')).not.toMatch(/^rejected /m);
  });

  it('takes other names where those are taken by strangers', async () => {
    const world = await createWorld();
    world.container.put('template', { name: 'Vedette', templateData: code('of a stranger') });
    world.container.put('trigger', { name: 'All events', type: 'click' });
    world.container.put('tag', { name: 'Vedette', type: 'html' });
    world.shoot();
    const names = (await install(world)).map(({ name }) => name);
    expect(names).toEqual(['Vedette 2', 'All events 2', 'Vedette 2']);
  });

  it('uses a trigger that fires on all events already', async () => {
    const world = await createWorld();
    const trigger = world.container.put('trigger', allEventsTrigger('Everything'));
    world.shoot();
    const [, made] = await bodies(world);
    expect(made).toMatchObject({ kind: 'tag', after: { firingTriggerId: [trigger] } });
  });

  it.each([
    ['is paused', { paused: true }, { firingTriggerId: ['2'] }],
    ['has no trigger', { firingTriggerId: [] }, { firingTriggerId: ['2'] }],
    ['fires on something else', { firingTriggerId: ['4'] }, { firingTriggerId: ['4', '2'] }],
    [
      'carries a key that does not work',
      { parameter: [{ type: 'template', key: 'apiKey', value: 'vdt_revoked' }] },
      { parameter: [{ type: 'template', key: 'apiKey', value: 'vdt_good' }] },
    ],
  ])('mends a tag that %s', async (_, body, after) => {
    const world = await installed(body);
    const [change, ...others] = await bodies(world);
    expect(others).toEqual([]);
    expect(change).toMatchObject({ action: 'update', kind: 'tag', after });
    expect(change?.after).not.toHaveProperty('paused');
  });

  it('leaves a key alone that a variable gives', async () => {
    const parameter = [{ type: 'template', key: 'apiKey', value: '{{Key}}' }];
    expect(await install(await installed({ parameter }))).toEqual([]);
  });

  it('brings a template up to date, and to the address that is asked for', async () => {
    const ours = { templates: [template({ state: 'outdated' })], tags: [tag()] };
    const world = await installed({}, ours);
    world.container.edit('template', '1', { templateData: code('old') });
    world.shoot();
    expect(await bodies(world)).toEqual([
      {
        ...{ action: 'update', kind: 'template' },
        after: { name: 'Vedette', templateData: templateFor(URL) },
      },
    ]);
    const [moved] = await bodies(await installed(), OTHER);
    expect(moved?.after).toMatchObject({ templateData: templateFor(OTHER) });
  });

  it('leaves a template out of the gallery as it is, and makes the tag of it', async () => {
    const ours = template({ origin: 'gallery', state: 'outdated' });
    const world = await installed({}, { templates: [ours], tags: [] });
    world.container.remove('tag', '3');
    world.container.edit('template', '1', { galleryReference: { galleryTemplateId: 'ABC' } });
    world.shoot();
    expect(await bodies(world)).toMatchObject([
      { action: 'create', kind: 'tag', after: { type: 'cvt_ABC', firingTriggerId: ['2'] } },
    ]);
  });

  it('leaves alone what was accepted while the new template was made', async () => {
    const world = await createWorld();
    world.shoot();
    const first = await install(world);
    const ids = first.map(({ id }) => id);
    world.onKey = async () => {
      await accept(world, ids);
    };
    const again = await install(world, OTHER);
    expect(again.map(({ id }) => id)).toEqual(ids);
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set(['applied']));
  });
});
