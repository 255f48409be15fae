import { idOf, nameOf } from '../../../server/tagmanager/api/api.ts';
import type { Api } from '../../../server/tagmanager/api/api.ts';
import { createApi } from '../../../server/tagmanager/api/client.ts';
import { createPacer } from '../../../server/tagmanager/api/pacer.ts';
import { kinds } from '../../../server/tagmanager/api/schema.ts';
import type { Definition, Kind } from '../../../server/tagmanager/api/schema.ts';
import type { FaultCode } from '../../../server/tagmanager/connection/schema.ts';
import { TagManagerFault } from '../../../server/tagmanager/faults.ts';
import { createTagManagerApi } from '../../helpers/tag-manager-api/create.ts';

/** What becomes of a call; with `after`, the fault comes although it was carried out. */
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

/** A template must have a head to be one. */
export const code = (text: string): string => `___INFO___\n${text}`;

const time = { now: () => 0 };
const quota = { requests: 1e6, withinMs: 1, perDay: 1e6 };

/** A container of the emulator, what people do in it, and our client to write to it. */
export function createContainer() {
  const google = createTagManagerApi();
  let place = google.container();
  const client = createApi({
    ...{ endpoint: 'http://google.example', project: '1', fetch: google.fetch },
    accessToken: () => Promise.resolve('ours'),
    pacer: createPacer({ clock: time, quota, wait: () => Promise.resolve() }),
  });

  /** Calls are counted, and some have a fate. */
  const fated =
    <V extends keyof Api>(
      verb: V,
      work: (...given: Parameters<Api[V]>) => Promise<Awaited<ReturnType<Api[V]>>>,
    ) =>
    async (...given: Parameters<Api[V]>): Promise<Awaited<ReturnType<Api[V]>>> => {
      self.calls.push(verb);
      const fate = self.fate(verb, self.calls.length);
      if (fate && !fate.after) throw fault(fate.code);
      const result = await work(...given);
      if (fate) throw fault(fate.code);
      return result;
    };

  function wrote(verb: Written['verb'], kind: Kind, name: string): void {
    self.written.push({ verb, kind, name });
    self.onWritten();
  }

  const api: Api = {
    ...client,
    workspaces: fated('workspaces', (...given) => client.workspaces(...given)),
    workspace: fated('workspace', (...given) => client.workspace(...given)),
    list: fated('list', (...given) => client.list(...given)),
    get: fated('get', (...given) => client.get(...given)),
    create: fated('create', async (...given) => {
      const made = await client.create(...given);
      wrote('create', given[1], nameOf(made));
      return made;
    }),
    update: fated('update', async (...given) => {
      const changed = await client.update(...given);
      wrote('update', given[1], nameOf(changed));
      return changed;
    }),
    delete: fated('delete', async (...given) => {
      const [, kind, id] = given;
      const name = nameOf(self.all(kind).find((one) => idOf(kind, one) === id) ?? {});
      await client.delete(...given);
      wrote('delete', kind, name);
    }),
  };

  const self = {
    api,
    written: [] as Written[],
    calls: [] as (keyof Api)[],
    /** Asked before every call: what is to go wrong with it? */
    fate: (() => undefined) as (verb: keyof Api, call: number) => Fate | undefined,
    /** Something else that happens as soon as something is written. */
    onWritten: (): unknown => undefined,
    place: () => place,
    all: (kind: Kind) => google.list(place, kind) as Definition[],
    find: (kind: Kind, name: string) => self.all(kind).find((one) => nameOf(one) === name),
    /** As if somebody did it in the tag manager. The ids in a container are counted from 1. */
    put: (kind: Kind, body: Definition): string => google.add(place, kind, body),
    edit: (kind: Kind, id: string, fields: Definition) => google.edit(place, kind, id, fields),
    remove: (kind: Kind, id: string) => google.remove(place, kind, id),
    /** The workspace vanishes, and the next takes its name. */
    publish(): void {
      place = google.publish(place);
    },
    snapshot: () =>
      Object.fromEntries(kinds.map((kind) => [kind, self.all(kind)])) as Record<Kind, Definition[]>,
    /** What there is by name, without what the tag manager says by itself. */
    content(): Record<string, unknown> {
      const { trigger, template } = self.snapshot();
      const triggers = new Map(trigger.map((one) => [idOf('trigger', one), nameOf(one)]));
      const types = new Map(
        template.map((one) => [`cvt_${place.containerId}_${idOf('template', one)}`, nameOf(one)]),
      );
      const shown = ({ type, parameter, notes, templateData, ...object }: Definition) => ({
        ...{ type: types.get(String(type)) ?? type, parameter, notes, templateData },
        firing: (object['firingTriggerId'] as string[] | undefined)?.map(
          (id) => triggers.get(id) ?? id,
        ),
      });
      return Object.fromEntries(
        Object.entries(self.snapshot()).flatMap(([kind, objects]) =>
          objects.map((object) => [
            `${kind}/${nameOf(object)}`,
            JSON.parse(JSON.stringify(shown(object))) as unknown,
          ]),
        ),
      );
    },
  };
  return self;
}

export type Container = ReturnType<typeof createContainer>;
