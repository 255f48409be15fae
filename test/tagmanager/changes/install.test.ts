import { describe, expect, it } from 'vitest';
import { allEventsTrigger, ourTag } from '../../../server/tagmanager/changes/install-parts.ts';
import type { OurTag, OurTemplate } from '../../../server/tagmanager/snapshot/schema.ts';
import { createWorld } from './parts.ts';
import type { World } from './parts.ts';
import { CONTAINER } from './stand-in.ts';

const URL = 'https://events.example';
const TYPE = `cvt_${CONTAINER}_1`;

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
  const { standIn } = world;
  standIn.put('template', { name: 'Vedette', templateData: `template to ${URL}` }, '1');
  standIn.put('trigger', allEventsTrigger('Everything'), '2');
  standIn.put('tag', { ...ourTag('Vedette', TYPE, 'vdt_good', '2'), ...body }, '3');
  world.ours = ours;
  world.shoot();
  return world;
}

const install = (world: World, url?: string) => world.begin().install(world.asking(), url);
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
    const changes = world.begin();
    await changes.accept(
      world.asking(),
      views.map(({ id }) => id),
    );
    await changes.jobs.idle(world.tenantId);
    const { standIn } = world;
    expect(standIn.find('template', 'Vedette')).toMatchObject({
      templateData: `template to ${URL}`,
    });
    expect(standIn.find('trigger', 'All events')).toMatchObject({
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
    expect(standIn.find('tag', 'Vedette')).toMatchObject({
      type: `cvt_${CONTAINER}_${String(standIn.find('template', 'Vedette')?.['templateId'])}`,
      firingTriggerId: [standIn.find('trigger', 'All events')?.['triggerId']],
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
    const next = await install(world, 'https://other.example');
    expect(next).toHaveLength(3);
    expect((await detail(world, next[0]?.id)).after).toMatchObject({
      templateData: 'template to https://other.example',
    });
    expect((await detail(world, ids[0])).status).toBe('rejected');
  });

  it('takes other names where those are taken by strangers', async () => {
    const world = await createWorld();
    world.standIn.put('template', { name: 'Vedette', templateData: 'a stranger' });
    world.standIn.put('trigger', { name: 'All events', type: 'click' });
    world.standIn.put('tag', { name: 'Vedette', type: 'html' });
    world.shoot();
    const names = (await install(world)).map(({ name }) => name);
    expect(names).toEqual(['Vedette 2', 'All events 2', 'Vedette 2']);
  });

  it('uses a trigger that fires on all events already', async () => {
    const world = await createWorld();
    world.standIn.put('trigger', allEventsTrigger('Everything'), '2');
    world.shoot();
    const [, made] = await bodies(world);
    expect(made).toMatchObject({ kind: 'tag', after: { firingTriggerId: ['2'] } });
  });

  it.each([
    ['is paused', { paused: true }, { firingTriggerId: ['2'] }],
    ['has no trigger', { firingTriggerId: [] }, { firingTriggerId: ['2'] }],
    ['fires on something else', { firingTriggerId: ['9'] }, { firingTriggerId: ['9', '2'] }],
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
    world.standIn.edit('template', '1', { templateData: 'old' });
    world.shoot();
    expect(await bodies(world)).toEqual([
      {
        ...{ action: 'update', kind: 'template' },
        after: { name: 'Vedette', templateData: `template to ${URL}` },
      },
    ]);
    const [moved] = await bodies(await installed(), 'https://other.example');
    expect(moved?.after).toMatchObject({ templateData: 'template to https://other.example' });
  });

  it('leaves a template out of the gallery as it is, and makes the tag of it', async () => {
    const world = await installed(
      {},
      {
        templates: [template({ origin: 'gallery', state: 'outdated' })],
        tags: [],
      },
    );
    world.standIn.remove('tag', '3');
    world.standIn.edit('template', '1', { galleryReference: { galleryTemplateId: 'ABC' } });
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
    world.onDownload = async () => {
      const changes = world.begin();
      await changes.accept(world.asking(), ids);
      await changes.jobs.idle(world.tenantId);
    };
    const again = await install(world, 'https://other.example');
    expect(again.map(({ id }) => id)).toEqual(ids);
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set(['applied']));
  });
});
