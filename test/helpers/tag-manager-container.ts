import type { Kind } from '../../server/tagmanager/api/schema.ts';
import type { AuditEntry, ChangeView } from '../../server/tagmanager/changes/schema.ts';
import type { ContainerObject, ObjectDetail } from '../../server/tagmanager/snapshot/schema.ts';
import { ago } from './tag-manager-views.ts';

/* What the appliance answers about what is in a container, and about changes to it. */

const TYPES: Record<Kind, [string, string]> = {
  tag: ['html', 'Custom HTML'],
  trigger: ['customEvent', 'Custom event'],
  variable: ['v', 'Data layer variable'],
  template: ['template', 'Tag template'],
};

export function objectOf(
  kind: Kind,
  id: string,
  name: string,
  patch: Partial<ContainerObject> = {},
): ContainerObject {
  const [type, type_name] = TYPES[kind];
  return {
    ...{ kind, id, name, type, type_name, paused: false, ours: false, unpublished: null },
    ...{ fires_on: [], blocked_by: [], used_by: [], used_by_count: 0 },
    ...patch,
  };
}

export const detailOf = (
  object: ContainerObject,
  patch: Partial<ObjectDetail> = {},
): ObjectDetail => ({
  ...object,
  definition: {
    ...{ accountId: '600', containerId: '700', workspaceId: '12', [`${object.kind}Id`]: object.id },
    ...{ name: object.name, type: object.type, fingerprint: '1732000000000' },
    ...(object.kind === 'tag' && { firingTriggerId: object.fires_on.map(({ id }) => id) }),
    parameter: [{ type: 'template', key: 'html', value: '<script>track()</script>' }],
  },
  fields: [
    { name: 'HTML', value: '<script>track()</script>' },
    { name: 'Priority', value: '0' },
  ],
  url: `https://tagmanager.google.com/#/container/accounts/600/containers/700/workspaces/12/${object.kind}s/${object.id}`,
  ...patch,
});

const trigger = { kind: 'trigger' as const, id: '7', name: 'Checkout' };
const pages = { kind: 'trigger' as const, id: '2147479553', name: 'All Pages' };
const purchase = { kind: 'tag' as const, id: '1', name: 'Purchase' };

/** A few of each, with everything that is special about some. */
export const FEW: ContainerObject[] = [
  objectOf('tag', '1', 'Purchase', {
    ...{ type: 'gaawe', type_name: 'GA4 event', fires_on: [trigger], unpublished: 'updated' },
    blocked_by: [{ kind: 'trigger', id: '8', name: 'Internal traffic' }],
  }),
  objectOf('tag', '2', 'Old pixel', { paused: true, fires_on: [pages] }),
  objectOf('tag', '3', 'Nobody fires me'),
  objectOf('tag', '4', 'Vedette', {
    ...{ ours: true, type: 'cvt_700_5', type_name: 'Vedette', unpublished: 'added' },
    fires_on: [pages, trigger, { kind: 'trigger', id: '9', name: 'All events' }],
  }),
  objectOf('trigger', '7', 'Checkout', { used_by: [purchase], used_by_count: 2 }),
  objectOf('trigger', '8', 'Internal traffic', { used_by: [purchase], used_by_count: 1 }),
  objectOf('trigger', '9', 'All events'),
  objectOf('variable', '20', 'Order value', {
    ...{ used_by: [purchase, trigger], used_by_count: 60 },
  }),
  objectOf('variable', '21', 'Left over'),
  objectOf('template', '5', 'Vedette', { ours: true }),
];

/** A container as large as any. */
export function many({ tags = 800, triggers = 400, variables = 600 } = {}): ContainerObject[] {
  const list = <T>(length: number, make: (i: number) => T) =>
    Array.from({ length }, (_, i) => make(i));
  return [
    ...list(tags, (i) =>
      objectOf('tag', `${i + 1}`, `GA4 - event ${i} - checkout step ${i % 9}`, {
        ...{ paused: i % 11 === 0, type: 'gaawe', type_name: 'GA4 event' },
        fires_on: list(1 + (i % 3), (n) => ({
          ...{ kind: 'trigger' as const, id: `${10_000 + ((i + n) % triggers)}` },
          name: `Trigger ${(i + n) % triggers}`,
        })),
      }),
    ),
    ...list(triggers, (i) =>
      objectOf('trigger', `${10_000 + i}`, `Trigger ${i}`, {
        ...{ used_by: [purchase], used_by_count: 1 + (i % 30) },
      }),
    ),
    ...list(variables, (i) => objectOf('variable', `${20_000 + i}`, `DLV - field ${i}`)),
  ];
}

export const changeOf = (patch: Partial<ChangeView> = {}): ChangeView => ({
  ...{ id: crypto.randomUUID(), action: 'update', kind: 'tag', object_id: '1', name: 'Purchase' },
  ...{ status: 'proposed', needs: [], warnings: [], theirs: null, problem: null },
  difference: [{ field: 'Notes', before: 'by hand', after: 'by the team' }],
  ...{ proposed_at: '2026-11-20T10:00:00.000Z', proposed_by: 'Dashboard, Firefox on Linux' },
  ...{ decided_at: null, decided_by: null, applied_at: null },
  ...patch,
});

export const entryOf = (patch: Partial<AuditEntry> = {}): AuditEntry => ({
  ...{ id: crypto.randomUUID(), at: ago(3), who: 'Dashboard, Firefox on Linux, 127.0.0.1' },
  ...{ deed: 'accepted', change_id: null, words: 'Change of tag “Purchase”' },
  ...patch,
});
