import { describe, expect, it } from 'vitest';
import type { Definition } from '../../../server/tagmanager/api/schema.ts';
import type { FaultView } from '../../../server/tagmanager/connection/schema.ts';
import { createJudge } from '../../../server/tagmanager/snapshot/judge.ts';
import { snapshotOf } from '../../../server/tagmanager/snapshot/summary.ts';
import { verificationOf } from '../../../server/tagmanager/snapshot/verification.ts';
import type { Facts } from '../../../server/tagmanager/snapshot/verification.ts';
import { START } from '../../helpers/identity-parts.ts';
import { anObject, installed, objects, ourTag, ourTemplate, URL } from './objects.ts';
import type { Objects } from './objects.ts';
import { CHOSEN, fault, install, installedParts, liveOf, snapshotParts, TENANT } from './parts.ts';

const HOUR = 3_600_000;

function snapshot(draft: Objects, live?: Objects, takenAt = START) {
  const { oursOf, judged } = createJudge({ addresses: () => [URL] });
  const found = {
    of: CHOSEN,
    status: { changes: [], conflicts: 0 },
    objects: draft,
    builtInVariables: 0,
    live: live && liveOf(live),
  };
  const about = { takenAt, requests: 8, previous: undefined, differences: 0 };
  return judged(snapshotOf(found, about, oursOf)).view;
}

function judged(given: Partial<Facts>) {
  const { checks, ...rest } = verificationOf({
    snapshot: undefined,
    state: 'ready',
    problem: null,
    events: { count: 3, last: START - 180_000 },
    waiting: 0,
    now: START,
    ...given,
  });
  const [template, tag, events] = checks;
  if (!template || !tag || !events) throw new Error('There are three checks');
  return { ...rest, template, tag, events, checks };
}

const both = (all: Objects) => ({ snapshot: snapshot(all, all) });
const withTag = (given: Definition) => ({ ...installed(), tag: [ourTag(given)] });

describe('the verification', () => {
  it('is complete when the template is there, the tag is live and events arrive', () => {
    expect(judged(both(installed()))).toMatchObject({
      complete: true,
      checked_at: '2026-03-01T10:00:00.000Z',
      snapshot_taken_at: '2026-03-01T10:00:00.000Z',
      template: {
        name: 'template',
        holds: true,
        title: 'The template is in the workspace',
        evidence: [
          `Workspace "Default Workspace": template "Vedette", sends to ${URL}`,
          `Live, version 12: template "Vedette", sends to ${URL}`,
        ],
        next: null,
        action: null,
      },
      tag: {
        name: 'tag',
        holds: true,
        title: 'The tag is live',
        evidence: [
          'Live, version 12: tag "Vedette" fires on All events',
          'Workspace "Default Workspace": tag "Vedette" fires on All events',
        ],
        next: null,
        action: null,
      },
      events: {
        name: 'events',
        holds: true,
        title: '3 events from the tag manager in the last 24 hours',
        evidence: ['The last one arrived 3 minutes ago'],
        next: null,
        action: null,
      },
    });
  });

  it.each([
    ['not_connected', 'connect', 'The tag manager is not connected.'],
    ['nothing_chosen', 'choose', 'No container has been chosen yet.'],
    ['ready', 'snapshot', 'No snapshot of the container has been taken yet.'],
    ['reading', null, 'The container is being read.'],
  ] as const)('says the way on without a snapshot: %s', (state, action, words) => {
    const { complete, template, tag, events, snapshot_taken_at } = judged({ state });
    expect({ complete, snapshot_taken_at }).toEqual({ complete: false, snapshot_taken_at: null });
    for (const check of [template, tag]) {
      expect(check).toMatchObject({ holds: false, action, evidence: [words] });
      expect(check.next).not.toBeNull();
    }
    expect(events.holds).toBe(true);
  });

  it('tells how old an old snapshot is', () => {
    const old = snapshot(installed(), installed(), START - 49 * HOUR);
    const { complete, template, tag } = judged({ snapshot: old });
    expect(complete).toBe(true);
    for (const check of [template, tag]) {
      expect(check.evidence.at(-1)).toBe('The snapshot was taken 2 days ago.');
      expect(check.action).toBe('snapshot');
    }
    const young = snapshot(installed(), installed(), START - 24 * HOUR);
    expect(judged({ snapshot: young }).tag.evidence).toHaveLength(2);
  });

  const hidden = (given: Partial<FaultView> = {}): FaultView => ({
    ...{ code: 'wrong_account', what: 'It cannot see shop.example.', next: 'Connect again.' },
    at: new Date(START).toISOString(),
    ...given,
  });

  it('claims nothing as known while something keeps the container from being read', () => {
    const seen = snapshot(objects(), objects(), START - 5 * 60_000);
    const { template, tag } = judged({ snapshot: seen, problem: hidden() });
    for (const check of [template, tag]) {
      expect(check).toMatchObject({ holds: false, next: 'Connect again.', action: 'connect' });
      expect(check.title).toMatch(/^When it was last read: /);
      expect(check.evidence.slice(-2)).toEqual([
        'The snapshot was taken 5 minutes ago.',
        'It cannot see shop.example.',
      ]);
    }
    expect(template.title).toBe('When it was last read: the template is not in the workspace');
  });

  it.each([
    ['wrong_account', 'connect'],
    ['grant_ended', 'connect'],
    ['workspace_gone', 'choose'],
    ['no_permission', 'snapshot'],
    ['api_disabled', 'snapshot'],
  ] as const)('says without a snapshot what stands in the way: %s', (code, action) => {
    const { template, tag } = judged({ problem: hidden({ code }) });
    for (const check of [template, tag]) {
      expect(check).toMatchObject({
        ...{ holds: false, action, next: 'Connect again.' },
        evidence: ['It cannot see shop.example.'],
      });
    }
  });

  it('leads to changes that wait before others are proposed', () => {
    const { template, tag, events } = judged({ ...both(objects()), waiting: 2 });
    expect([template.action, tag.action]).toEqual(['review', 'review']);
    expect(events.action).toBeNull();
  });
});

describe('the check of the template', () => {
  const check = (all: Objects) => judged(both(all)).template;

  it('fails when there is none, whatever is live', () => {
    const stranger = anObject('template', '81', { templateData: 'other' });
    const { template } = judged({
      snapshot: snapshot(objects({ template: [stranger] }), installed()),
    });
    expect(template).toMatchObject({ holds: false, action: 'install' });
    expect(template.evidence).toEqual([
      'Workspace "Default Workspace": no template of Vedette\'s',
      `Live, version 12: template "Vedette", sends to ${URL}`,
    ]);
  });

  const outdated = (given = {}) =>
    ourTemplate({
      templateData: String(ourTemplate()['templateData']).replace('MAX_URL = 8000', 'MAX_URL = 1'),
      ...given,
    });

  it('holds with a next step when it is outdated or sends elsewhere', () => {
    const old = check({ ...installed(), template: [outdated()] });
    expect(old).toMatchObject({ holds: true, action: 'install' });
    expect(old.title).toContain('not as Vedette hands it out now');
    expect(old.evidence[0]).toContain('not as Vedette hands it out now and sends to');
    const other = check({ ...installed(), template: [ourTemplate({}, 'https://old.example')] });
    expect(other).toMatchObject({ holds: true, action: 'install' });
    expect(other.title).toContain('does not know as its own');
    expect(other.evidence[0]).toContain('sends to https://old.example');
  });

  it('goes by the one that the tag uses', () => {
    const second = outdated({ templateId: '81', name: 'Old one' });
    expect(check({ ...installed(), template: [ourTemplate(), second] }).action).toBeNull();
    const old = { ...withTag({ type: 'cvt_42_81' }), template: [ourTemplate(), second] };
    expect(check(old).action).toBe('install');
    expect(check({ ...old, tag: [] }).action).toBeNull();
  });

  it('knows one from the gallery', () => {
    const galleryReference = { repository: 'vedette-template', galleryTemplateId: 'K7' };
    const all = { ...installed(), template: [ourTemplate({ galleryReference })] };
    expect(check(all).evidence[0]).toContain('template "Vedette", from the gallery and sends to');
  });
});

describe('the check of the tag', () => {
  const check = (draft: Objects, live?: Objects) => judged({ snapshot: snapshot(draft, live) }).tag;

  it('holds when it is in the draft alone, and says to publish', () => {
    for (const live of [undefined, objects(), withTag({ paused: true })]) {
      expect(check(installed(), live)).toMatchObject({
        holds: true,
        title: 'The tag is in the workspace, but not published yet',
        action: 'publish',
      });
    }
    expect(check(installed()).evidence[0]).toBe('Live: nothing was ever published');
    expect(check(installed(), objects()).evidence[0]).toBe("Live, version 12: no tag of Vedette's");
  });

  it('holds when it is live alone, and warns of what the draft would do', () => {
    const { holds, title, evidence, next, action } = check(withTag({ paused: true }), installed());
    expect({ holds, action }).toEqual({ holds: true, action: 'install' });
    expect(title).toBe('The tag is live, but the workspace would take it away');
    expect(evidence).toEqual([
      'Live, version 12: tag "Vedette" fires on All events',
      'Workspace "Default Workspace": tag "Vedette" is paused; it fires on All events',
    ]);
    expect(next).toContain('next version that is published');
  });

  it.each([
    ['is missing', objects({ template: [ourTemplate()] }), 'There is no tag', 'install'],
    ['is paused', withTag({ paused: true }), 'The tag is paused', 'install'],
    ['has no trigger', withTag({ firingTriggerId: [] }), 'has no trigger', 'install'],
    [
      'is paused without one',
      withTag({ paused: true, firingTriggerId: [] }),
      'no trigger',
      'install',
    ],
    ['is blocked', withTag({ blockingTriggerId: ['90'] }), 'has an exception', 'look'],
  ] as const)('fails when it %s, in words of its own', (_what, all, words, action) => {
    const found = check(all, all);
    expect(found).toMatchObject({ holds: false, action });
    expect(found.title).toContain(words);
    expect(found.next).not.toBeNull();
  });

  it('says what keeps a tag from ever firing', () => {
    expect(check(withTag({ blockingTriggerId: ['90'] })).evidence[1]).toBe(
      'Workspace "Default Workspace": tag "Vedette" never fires: it fires on All events, except on All events',
    );
  });

  it('holds with one good tag among several', () => {
    const paused = ourTag({ tagId: '71', paused: true });
    expect(check({ ...installed(), tag: [paused, ourTag()] }, installed())).toMatchObject({
      holds: true,
      title: 'The tag is live',
    });
  });

  it('advises all events to a tag that sees fewer', () => {
    const some = withTag({ firingTriggerId: ['2147479553'] });
    expect(check(some, some)).toMatchObject({ holds: true, action: 'install' });
    expect(check(some, some).title).toContain('does not see every event');
  });
});

describe('the check of the events', () => {
  const none = { count: 0, last: null };

  it('fails when none arrived in time, and says when the last one did', () => {
    expect(judged({ events: none }).events).toMatchObject({
      holds: false,
      evidence: ['None has ever arrived from the tag manager'],
    });
    const old = { count: 0, last: START - 75 * HOUR };
    expect(judged({ events: old }).events.evidence[0]).toBe('The last one arrived 3 days ago');
  });

  it('leads on by how far the tag is', () => {
    const action = (given: Partial<Facts>) => judged({ ...given, events: none }).events.action;
    expect(action({})).toBeNull();
    expect(action(both(objects()))).toBeNull();
    expect(action({ snapshot: snapshot(installed()) })).toBe('publish');
    expect(action(both(installed()))).toBe('look');
  });
});

describe('the verification of a tenant', () => {
  it('goes from nothing to complete', async () => {
    const parts = await snapshotParts();
    const { verification, connection, google, place, take, arrived } = parts;
    const actions = async () => {
      const { complete, checks } = await verification.check(TENANT);
      return [complete, ...checks.map(({ action }) => action)];
    };
    const chosen = connection.chosenNow;
    connection.isConnected = false;
    expect(await actions()).toEqual([false, 'connect', 'connect', null]);
    connection.isConnected = true;
    connection.chosenNow = undefined;
    expect(await actions()).toEqual([false, 'choose', 'choose', null]);
    connection.chosenNow = chosen;
    expect(await actions()).toEqual([false, 'snapshot', 'snapshot', null]);

    await take();
    expect(await actions()).toEqual([false, 'install', 'install', null]);
    install(parts);
    await take();
    expect(await actions()).toEqual([false, null, 'publish', 'publish']);
    google.settle(place);
    await take();
    expect(await actions()).toEqual([false, null, null, 'look']);
    Object.assign(arrived, { count: 1, last: new Date(START - HOUR).toISOString() });
    expect(await actions()).toEqual([true, null, null, null]);
  });

  it('goes by what stands in the way of its connection', async () => {
    const { verification, connection } = await snapshotParts();
    connection.standing = fault('wrong_account').view(START);
    expect((await verification.check(TENANT)).checks[0]).toMatchObject({ action: 'connect' });
  });

  it('says that it is being read the first time', async () => {
    const { verification, snapshots, gate, jobs } = await snapshotParts();
    const held = Promise.withResolvers<number>();
    gate.before = () => held.promise;
    snapshots.begin(TENANT);
    expect((await verification.check(TENANT)).checks[0]?.evidence).toEqual([
      'The container is being read.',
    ]);
    held.resolve(403);
    await jobs.idle(TENANT);
  });

  it('goes by the snapshot that there is when the grant has ended', async () => {
    const { verification, connection, take } = await installedParts();
    await take();
    connection.isConnected = false;
    expect((await verification.check(TENANT)).checks[0]?.holds).toBe(true);
  });
});
