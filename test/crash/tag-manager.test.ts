import { expect, test } from 'vitest';
import type { ChangeView } from '../../server/tagmanager/changes/schema.ts';
import { startVedette } from '../helpers/child.ts';
import { startAppliance } from '../helpers/appliance.ts';
import { startGoogle } from '../helpers/google.ts';
import type { Google } from '../helpers/google.ts';
import type { TagManagerApi } from '../helpers/tag-manager-api/start.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import {
  connect,
  heldAt,
  isWrite,
  personAt,
  selectionOf,
  signIn,
} from '../tagmanager/whole/parts.ts';
import type { Person } from '../tagmanager/whole/parts.ts';
import { soaking } from '../helpers/soak.ts';

const ALL_PAGES = '2147479553';
const BATCH = 8;

type Place = ReturnType<TagManagerApi['container']>;

const constant = (name: string, value: string) => ({
  ...{ name, type: 'c' },
  parameter: [{ type: 'template', key: 'value', value }],
});
const pageview = (name: string) => ({ name, type: 'pageview' });
const html = (name: string, code: string, trigger = ALL_PAGES) => ({
  ...{ name, type: 'html', firingTriggerId: [trigger] },
  parameter: [{ type: 'template', key: 'html', value: code }],
});

/** A data directory of an appliance with eight changes that wait for a person. */
async function proposed(dataDir: string, google: Google, place: Place) {
  const { api } = google;
  await using appliance = await startAppliance({ ...google.options, dataDir });
  const person = await signIn(appliance);
  await person.tell('PUT', '/connection/client', { client_id: google.clientId });
  await connect(person, google);
  const variable = api.add(place, 'variable', constant('Currency', 'EUR'));
  const oldVariable = api.add(place, 'variable', constant('Old', '1'));
  const trigger = api.add(place, 'trigger', pageview('Every page'));
  const oldTag = api.add(place, 'tag', html('Banner', '<b>old</b>'));
  const tag = api.add(place, 'tag', html('Chat', '<i>1</i>'));
  await person.tell('PUT', '/selection', selectionOf(place));
  await person.settled();
  const changes = await person.propose(
    { action: 'create', kind: 'variable', ref: 'v', body: constant('Site', 'shop') },
    { action: 'create', kind: 'trigger', ref: 't', body: pageview('Landing') },
    { action: 'create', kind: 'tag', body: html('Pixel', '{{Site}}', 'change:t') },
    { action: 'update', kind: 'variable', id: variable, body: constant('Currency', 'CHF') },
    { action: 'update', kind: 'trigger', id: trigger, body: pageview('Each page') },
    { action: 'update', kind: 'tag', id: tag, body: html('Chat', '<i>2</i>') },
    { action: 'delete', kind: 'variable', id: oldVariable },
    { action: 'delete', kind: 'tag', id: oldTag },
  );
  expect(changes).toHaveLength(BATCH);
  return { changes, cookie: person.cookie };
}

/** What the workspace holds when all eight are written, each of them once. */
function expectAllWritten(api: TagManagerApi, place: Place): void {
  const variables = api.list(place, 'variable');
  expect(variables.map(({ name, parameter }) => `${name} ${parameter?.[0]?.value}`).sort()).toEqual(
    ['Currency CHF', 'Site shop'],
  );
  const triggers = api.list(place, 'trigger');
  expect(triggers.map(({ name }) => name).sort()).toEqual(['Each page', 'Landing']);
  const landing = triggers.find(({ name }) => name === 'Landing')?.triggerId;
  const tags = api
    .list(place, 'tag')
    .map(({ name, parameter, firingTriggerId }) => [
      ...[name, parameter?.[0]?.value],
      ...(firingTriggerId ?? []),
    ]);
  expect(tags.sort()).toEqual([
    ['Chat', '<i>2</i>', ALL_PAGES],
    ['Pixel', '{{Site}}', landing],
  ]);
}

/**
 * Every change was proposed, accepted and applied, each once, by the one who did; what went on
 * after the kill did so by itself.
 */
async function expectAuditComplete(person: Person, changes: readonly ChangeView[]): Promise<void> {
  const audit = await person.audit();
  const ids = changes.map(({ id }) => id).sort();
  const deeds = ['proposed', 'accepted', 'applied'];
  for (const deed of deeds) {
    const entries = audit.filter((entry) => entry.deed === deed);
    expect(entries.map((entry) => entry.change_id).sort()).toEqual(ids);
    for (const { who } of entries) expect(who).toMatch(/^Dashboard, /);
  }
  const others = audit.filter(({ deed }) => !deeds.includes(deed));
  expect(others.map(({ deed }) => deed)).toEqual(['resumed', 'chose', 'connected']);
  expect(others[0]?.who).toBe('Vedette');
}

const KILLS = [
  { n: 1, when: 'after' },
  { n: BATCH, when: 'before' },
  // In the soak alone: other writes, which are gone on with in the same way.
  { n: 4, when: 'before' },
  { n: 6, when: 'after' },
] as const;

test.for(soaking ? KILLS : KILLS.slice(0, 2))(
  'a kill at write $n of 8, $when it was carried out, leaves nothing undone and nothing done twice',
  async ({ n, when }) => {
    await using google = await startGoogle();
    const { api } = google;
    const place = api.container({ accountId: api.account() });
    const dataDir = tempDir();
    const { changes, cookie } = await proposed(dataDir, google, place);
    const before = api.requests.length;
    const env = { VEDETTE_TAGMANAGER_ENDPOINTS: JSON.stringify(google.endpoints) };

    const first = await startVedette(dataDir, { env });
    const held = heldAt(api, n, isWrite);
    const { status } = await personAt(first.url, cookie).accept(changes);
    expect(status).toBe(202);
    const goOn = await held;
    expect(await first.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    if (when === 'before') api.drop({ of: 'writes', when });
    goOn();

    const second = await startVedette(dataDir, { env });
    const person = personAt(second.url, cookie);
    await expect.poll(() => person.changes(), { interval: 50 }).toEqual([]);
    expectAllWritten(api, place);
    await expectAuditComplete(person, changes);
    const writes = api.requests.slice(before).filter(isWrite);
    expect(writes).toHaveLength(when === 'before' ? BATCH + 1 : BATCH);
    // What is known of the container is brought up to date by itself.
    const differences = async () => (await person.snapshot())?.difference_count;
    await expect.poll(differences, { interval: 50 }).toBe(BATCH);
    expect(api.publishing()).toEqual([]);
  },
);
