import { refusals } from './answers.ts';
import type { Mismatch } from './answers.ts';
import { checkReferences, isUsed, text, without } from './references.ts';
import type { Body } from './references.ts';
import { FAMILIES } from './shapes.ts';
import type { ObjectKind, Objects } from './shapes.ts';
import { found } from './world.ts';
import type { Content, Place, World } from './world.ts';

/** Creating, replacing and deleting what a workspace holds, with what the API insists on. */
export function createObjects(world: World, mismatch: Mismatch) {
  function insert<K extends ObjectKind>(place: Place, kind: K, body: Body): Objects[K] {
    const { content } = world.workspaceOf(place);
    check(content, kind, body);
    return put(place, kind, world.containerOf(place).nextId(), body);
  }

  /** The whole object: what the body leaves out is gone. */
  function replace<K extends ObjectKind>(
    place: Place,
    kind: K,
    id: string,
    body: Body,
    fingerprint?: string,
  ): Objects[K] {
    const { content } = world.workspaceOf(place);
    const old = found(content[kind].get(id));
    if (fingerprint !== undefined && fingerprint !== old.fingerprint) {
      throw refusals.fingerprint(mismatch);
    }
    check(content, kind, body, id);
    return put(place, kind, id, body);
  }

  function remove(place: Place, kind: ObjectKind, id: string): void {
    const { content } = world.workspaceOf(place);
    const old = found(content[kind].get(id));
    if (isUsed(content, kind, old as Body)) throw refusals.vague();
    content[kind].delete(id);
  }

  function put<K extends ObjectKind>(place: Place, kind: K, id: string, body: Body): Objects[K] {
    const { accountId, containerId } = place;
    const own = without(body, ['path', 'workspaceId', 'tagManagerUrl']);
    const object = {
      ...own,
      ...{ accountId, containerId, [FAMILIES[kind].id]: id, fingerprint: world.fingerprint() },
    } as Objects[K];
    world.workspaceOf(place).content[kind].set(id, object);
    return shown(place, kind, object);
  }

  return { insert, replace, remove };
}

export type ObjectVerbs = ReturnType<typeof createObjects>;

/** As it is answered; what is kept says nothing of the workspace, since versions have it too. */
export function shown<K extends ObjectKind>(place: Place, kind: K, object: Objects[K]): Objects[K] {
  const { accountId, containerId, workspaceId } = place;
  const { id, collection, link } = FAMILIES[kind];
  const own = String((object as Body)[id]);
  const workspace = `accounts/${accountId}/containers/${containerId}/workspaces/${workspaceId}`;
  return {
    ...object,
    ...{ workspaceId, path: `${workspace}/${collection}/${own}` },
    tagManagerUrl: `https://tagmanager.google.com/#/container/${workspace}/${link}/${own}?apiLink=${kind}`,
  };
}

function check(content: Content, kind: ObjectKind, body: Body, id?: string): void {
  const { fields } = FAMILIES[kind];
  for (const name of Object.keys(body)) if (!fields[name]) throw refusals.unknownField(name);
  const name = body['name'];
  if (typeof name !== 'string' || name.trim() === '') {
    throw refusals.field('name', 'The value must not be empty.');
  }
  if (isTaken(content, kind, name, id)) throw refusals.duplicate();
  if (['tag', 'trigger', 'variable'].includes(kind) && !body['type']) {
    throw refusals.field('type', 'The value must not be empty.');
  }
  if (kind === 'template' && !text(body['templateData']).includes('___INFO___')) {
    throw refusals.field('template_data', 'Unable to parse template.');
  }
  const events = body['customEventFilter'];
  if (body['type'] === 'customEvent' && !(Array.isArray(events) && events.length === 1)) {
    throw refusals.field(
      'customEventFilter',
      'Custom-event trigger must have exactly one custom-event filter.',
    );
  }
  checkReferences(content, kind, body);
}

/** Variables share their names with the built-in ones that are switched on. */
function isTaken(content: Content, kind: ObjectKind, name: string, id?: string): boolean {
  for (const [other, object] of content[kind]) {
    if (other !== id && object.name === name) return true;
  }
  if (kind !== 'variable') return false;
  return [...content.builtInVariable.values()].some((builtIn) => builtIn.name === name);
}
