import type { Paging } from '../../http/schema.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { problems } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { createKeyedMutex } from '../../platform/mutex.ts';
import type { Keys } from '../../tenants/keys.ts';
import type { TenantStore } from '../../tenants/store.ts';
import type { Jobs } from '../jobs.ts';
import type { Template } from '../template.ts';
import { createApply } from './apply.ts';
import type { NewEntry } from './audit-store.ts';
import { createDecisions } from './decide.ts';
import { createGround } from './ground.ts';
import { createInstall } from './install.ts';
import type { ConnectionPart, DifferenceOf, SnapshotsPart } from './parts.ts';
import { createPropose } from './propose.ts';
import type { Asking } from './propose.ts';
import { createRecords } from './records.ts';
import type { AuditEntry, ChangeDetail, ChangeQuery, ChangeView, NewChange } from './schema.ts';
import { createViews } from './views.ts';
import { createWithdraw } from './withdraw.ts';

export type { Asking } from './propose.ts';

export interface ChangesParts {
  database: Pick<Database, 'read' | 'write'>;
  connection: ConnectionPart;
  snapshots: SnapshotsPart;
  jobs: Jobs;
  template: Pick<Template, 'ensureKey' | 'file'>;
  keys: Pick<Keys, 'secret'>;
  tenants: Pick<TenantStore, 'listKeys'>;
  differenceOf: DifferenceOf;
  /** Where this appliance is reached. */
  addresses: () => readonly string[];
  clock: Clock;
  log: Pick<Logger, 'warn' | 'error'>;
}

export type Changes = ReturnType<typeof createChanges>;

/** Everything between an idea of what the container should be like and the tag manager. */
export function createChanges(parts: ChangesParts) {
  const records = createRecords(parts.database);
  const all = { ...parts, records };
  const views = createViews(all);
  const ground = createGround(all);
  const propose = createPropose({ ground, records });
  const install = createInstall({ ...all, ground });
  const withdraw = createWithdraw(all);
  const apply = createApply({ ...all, ...withdraw });
  // Two that propose at once must see each other, lest both take the same name or object.
  const oneByOne = createKeyedMutex();
  const decisions = createDecisions({ ...all, apply, oneByOne });

  return {
    async list(tenantId: string, query: ChangeQuery): Promise<ChangeView[]> {
      await withdraw.tidy(tenantId);
      return views.of(tenantId, await records.read((verbs) => verbs.page(tenantId, query)));
    },

    /** How many wait for somebody to decide on them. */
    undecided: (tenantId: string): Promise<number> =>
      records.read((verbs) => verbs.undecided(tenantId)),

    async get(tenantId: string, id: string): Promise<ChangeDetail> {
      const [change] = await records.read((verbs) => verbs.some(tenantId, { ids: [id] }));
      if (change === undefined) throw problems.notFound('Change');
      return views.detail(tenantId, change);
    },

    propose: async (asking: Asking, changes: readonly NewChange[]): Promise<ChangeView[]> =>
      views.of(asking.tenantId, await oneByOne(asking.tenantId, () => propose(asking, changes))),

    /** Proposes nothing when the template and its tag are there and right. */
    install: async (asking: Asking, url?: string): Promise<ChangeView[]> =>
      views.of(asking.tenantId, await oneByOne(asking.tenantId, () => install(asking, url))),

    accept: async (asking: Asking, ids: readonly string[]): Promise<ChangeView[]> =>
      views.of(asking.tenantId, await apply.accept(asking, ids)),

    reject: async (asking: Asking, ids: readonly string[]): Promise<ChangeView[]> =>
      views.of(asking.tenantId, await decisions.reject(asking, ids)),

    async renew(asking: Asking, id: string): Promise<ChangeView> {
      const [view] = await views.of(asking.tenantId, [await decisions.renew(asking, id)]);
      return view as ChangeView;
    },

    /** Goes on with what was interrupted; answers with what that is. */
    resume: async (asking: Asking): Promise<ChangeView[]> =>
      views.of(asking.tenantId, await apply.resume(asking)),

    /** To be called once at the start, when the connection is there. */
    start: (): Promise<void> => apply.start(),

    ...withdraw,

    audit: (tenantId: string, paging: Paging): Promise<AuditEntry[]> =>
      records.read((verbs) => verbs.entries(tenantId, paging)),

    /** For what others do with the connection. */
    note: (tenantId: string, entry: NewEntry): Promise<void> =>
      records.write((verbs) => verbs.note(tenantId, [entry], parts.clock.now())),
  };
}
