import { idOf, nameOf } from '../../../server/tagmanager/api/api.ts';
import type { Api, Place, Workspace } from '../../../server/tagmanager/api/api.ts';
import { kinds } from '../../../server/tagmanager/api/schema.ts';
import type { Definition, Kind } from '../../../server/tagmanager/api/schema.ts';
import type { FaultCode } from '../../../server/tagmanager/connection/schema.ts';
import { TagManagerFault } from '../../../server/tagmanager/faults.ts';

export const CONTAINER = '20';

export type Verb = 'workspaces' | 'workspace' | 'list' | 'get' | 'create' | 'update' | 'delete';

/** What became of a call; a fault with `after` is thrown although it was carried out. */
export interface Fate {
  code: FaultCode;
  after?: boolean;
}

export interface Written {
  verb: 'create' | 'update' | 'delete';
  kind: Kind;
  name: string;
}

export const fault = (code: FaultCode) => new TagManagerFault(code, `It is ${code}.`, 'Go on.');

/** A container that is only as good as the tag manager is strict. */
export function createStandIn() {
  let workspace: Workspace = {
    accountId: '10',
    containerId: CONTAINER,
    workspaceId: '1',
    name: 'Default Workspace',
    description: null,
  };
  const objects = new Map<string, Definition>();
  let ids = 100;
  let prints = 0;

  const self = {
    objects,
    written: [] as Written[],
    calls: [] as { verb: Verb; kind?: Kind }[],
    /** Asked before every call: what is to go wrong with it? */
    fate: (() => undefined) as (verb: Verb, call: number) => Fate | undefined,
    api: undefined as unknown as Api,
    workspace: () => workspace,
    all: (kind: Kind) =>
      [...objects].filter(([key]) => key.startsWith(`${kind}/`)).map(([, o]) => o),
    find: (kind: Kind, name: string) => self.all(kind).find((one) => nameOf(one) === name),
    /** As if somebody did it in the tag manager. */
    put(kind: Kind, body: Definition, id = String(++ids)): Definition {
      const object = {
        ...body,
        ...{ accountId: '10', containerId: CONTAINER, workspaceId: workspace.workspaceId },
        ...{ [`${kind}Id`]: id, fingerprint: `f${++prints}`, path: `somewhere/${id}` },
      };
      objects.set(`${kind}/${id}`, object);
      return object;
    },
    edit(kind: Kind, id: string, fields: Definition): void {
      const object = objects.get(`${kind}/${id}`);
      if (object) self.put(kind, { ...object, ...fields }, id);
    },
    remove: (kind: Kind, id: string) => objects.delete(`${kind}/${id}`),
    /** The workspace vanishes, and the next takes its name. */
    publish(): void {
      workspace = { ...workspace, workspaceId: String(Number(workspace.workspaceId) + 1) };
    },
    /** What there is by name, without what the tag manager says by itself. */
    content(): Record<string, unknown> {
      const triggers = new Map(
        self.all('trigger').map((one) => [idOf('trigger', one), nameOf(one)]),
      );
      const templates = new Map(
        self
          .all('template')
          .map((one) => [`cvt_${CONTAINER}_${idOf('template', one)}`, nameOf(one)]),
      );
      return Object.fromEntries(
        [...objects].map(([key, object]) => {
          const { firingTriggerId: firing, type, name, parameter, notes, templateData } = object;
          const names = Array.isArray(firing)
            ? (firing as string[]).map((id) => triggers.get(id) ?? id)
            : undefined;
          const typeName = templates.get(String(type)) ?? type;
          const what = { type: typeName, parameter, notes, templateData, firing: names };
          return [
            `${key.split('/')[0]}/${String(name)}`,
            JSON.parse(JSON.stringify(what)) as unknown,
          ];
        }),
      );
    },
  };

  async function call<T>(verb: Verb, kind: Kind | undefined, work: () => T): Promise<T> {
    self.calls.push(kind ? { verb, kind } : { verb });
    await Promise.resolve();
    const fate = self.fate(verb, self.calls.length);
    if (fate && !fate.after) throw fault(fate.code);
    const result = work();
    if (fate) throw fault(fate.code);
    return structuredClone(result);
  }

  function found(place: Place, kind: Kind, id: string): Definition {
    check(place);
    const object = objects.get(`${kind}/${id}`);
    if (object === undefined) throw fault('not_found');
    return object;
  }

  function check(place: Place): void {
    if (place.workspaceId !== workspace.workspaceId) throw fault('not_found');
  }

  function checkBody(kind: Kind, body: Definition, id?: string): void {
    const rival = self.find(kind, nameOf(body));
    if (rival && idOf(kind, rival) !== id) throw fault('refused');
    const firing = (body['firingTriggerId'] ?? []) as string[];
    if (firing.some((one) => !objects.has(`trigger/${one}`))) throw fault('refused');
    const [, template] = /^cvt_20_(.*)$/.exec(String(body['type'])) ?? [];
    if (template !== undefined && !objects.has(`template/${template}`)) throw fault('refused');
    if (JSON.stringify(body).includes('change:')) throw fault('refused');
  }

  const wrote = (verb: Written['verb'], kind: Kind, object: Definition) =>
    self.written.push({ verb, kind, name: nameOf(object) });

  const unused = () => Promise.reject(new Error('is not asked for'));
  self.api = {
    ...{
      accounts: unused,
      containers: unused,
      status: unused,
      builtInVariables: unused,
      live: unused,
    },
    workspaces: () => call('workspaces', undefined, () => [workspace]),
    workspace: (place) => call('workspace', undefined, () => (check(place), workspace)),
    list: (place, kind) => call('list', kind, () => (check(place), self.all(kind))),
    get: (place, kind, id) => call('get', kind, () => found(place, kind, id)),
    create: (place, kind, body) =>
      call('create', kind, () => {
        check(place);
        checkBody(kind, body);
        wrote('create', kind, body);
        return self.put(kind, body);
      }),
    update: (place, kind, id, body, fingerprint) =>
      call('update', kind, () => {
        if (found(place, kind, id)['fingerprint'] !== fingerprint) throw fault('conflict');
        checkBody(kind, body, id);
        wrote('update', kind, body);
        return self.put(kind, body, id);
      }),
    delete: (place, kind, id) =>
      call('delete', kind, () => {
        wrote('delete', kind, found(place, kind, id));
        objects.delete(`${kind}/${id}`);
      }),
  };
  return self;
}

export type StandIn = ReturnType<typeof createStandIn>;

export const snapshotOf = (standIn: StandIn) =>
  Object.fromEntries(kinds.map((kind) => [kind, structuredClone(standIn.all(kind))])) as Record<
    Kind,
    Definition[]
  >;
