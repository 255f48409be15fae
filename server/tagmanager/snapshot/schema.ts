import { z } from 'zod';
import { paging, time } from '../../http/schema.ts';
import { definition, kind } from '../api/schema.ts';
import { chosen } from '../connection/schema.ts';

/** How far a template of the container is ours. */
export const templateState = z.enum(['current', 'elsewhere', 'outdated']).meta({
  description:
    '`current`: as Vedette hands it out; `elsewhere`: current, but sends to another address; `outdated`: import or install it again',
});

export const ourTemplate = z
  .object({
    id: z.string(),
    name: z.string(),
    origin: z.enum(['local', 'gallery']),
    state: templateState,
    sends_to: z.string().nullable().meta({ description: 'The address in its code' }),
  })
  .meta({ id: 'TagManagerOurTemplate' });

export const ourTag = z
  .object({
    id: z.string(),
    name: z.string(),
    template_id: z.string(),
    paused: z.boolean(),
    fires_on: z.array(z.string()).meta({ description: 'Names of its triggers' }),
    blocked_by: z.array(z.string()).meta({ description: 'Names of its exceptions' }),
    active: z.boolean().meta({
      description: 'It has a trigger that no exception takes away, and is not paused',
    }),
    all_events: z.boolean().meta({ description: 'One of its triggers fires on every event' }),
  })
  .meta({ id: 'TagManagerOurTag' });

const ours = z.object({ templates: z.array(ourTemplate), tags: z.array(ourTag) });

export const liveView = z
  .object({ version_id: z.string(), name: z.string(), ...ours.shape })
  .meta({ id: 'TagManagerLive' });

export const snapshotView = z
  .object({
    id: z.uuid(),
    taken_at: time,
    of: chosen,
    tag_count: z.int(),
    trigger_count: z.int(),
    variable_count: z.int().meta({ description: 'Variables of your own, without built-in ones' }),
    built_in_variable_count: z.int(),
    template_count: z.int(),
    has_unpublished_changes: z.boolean(),
    unpublished_count: z.int(),
    merge_conflict_count: z.int(),
    template_present: z.boolean().meta({ description: "Vedette's template is in the workspace" }),
    tag_active: z.boolean().meta({ description: "Vedette's tag is in the workspace, and active" }),
    ...ours.shape,
    live: liveView
      .nullable()
      .meta({ description: 'What visitors get; null when nothing was ever published' }),
    requests: z.int().meta({ description: 'How many requests it took' }),
    previous_taken_at: time.nullable(),
    difference_count: z.int().meta({ description: 'What changed since the snapshot before it' }),
  })
  .meta({ id: 'TagManagerSnapshot' });

export const latestSnapshot = z
  .object({ latest: snapshotView.nullable() })
  .meta({ id: 'TagManagerLatestSnapshot' });

const named = z.object({ kind, id: z.string(), name: z.string() });

export const containerObject = z
  .object({
    kind,
    id: z.string(),
    name: z.string(),
    type: z.string().meta({ description: 'As the API calls it', examples: ['gaawe'] }),
    type_name: z.string().meta({ description: 'In words', examples: ['GA4 event'] }),
    paused: z.boolean(),
    ours: z.boolean(),
    unpublished: z.enum(['added', 'updated']).nullable(),
    fires_on: z.array(named).meta({ description: 'Triggers of a tag' }),
    blocked_by: z.array(named).meta({ description: 'Triggers that keep a tag from firing' }),
    used_by: z
      .array(named)
      .meta({ description: 'What would break without it: at most 50, the first by name' }),
    used_by_count: z.int(),
  })
  .meta({ id: 'TagManagerObject' });

export const objectDetail = containerObject
  .extend({
    definition,
    fields: z
      .array(z.object({ name: z.string(), value: z.string() }))
      .meta({ description: 'Its settings in words' }),
    url: z.string().nullable().meta({ description: 'Where it is edited in the tag manager' }),
  })
  .meta({ id: 'TagManagerObjectDetail' });

export const objectQuery = paging.extend({
  kind: kind.optional(),
  search: z.string().trim().max(200).optional(),
});
export const byKindAndId = z.strictObject({
  kind,
  id: z.string().regex(/^\d{1,20}$/, 'must be a number of 20 digits or fewer'),
});

/** One field in which two versions of an object differ; long texts have many lines. */
export const fieldDifference = z
  .object({
    field: z.string().meta({ description: 'In words', examples: ['Fires on'] }),
    before: z.string().nullable(),
    after: z.string().nullable(),
  })
  .meta({ id: 'TagManagerFieldDifference' });

export const objectDifference = z
  .object({
    change: z.enum(['added', 'changed', 'removed']),
    kind,
    id: z.string(),
    name: z.string(),
    fields: z.array(fieldDifference),
  })
  .meta({ id: 'TagManagerDifference' });

export const check = z
  .object({
    name: z.enum(['template', 'tag', 'events']),
    holds: z.boolean(),
    title: z.string().meta({ description: 'What was found, in a sentence' }),
    evidence: z.array(z.string()),
    next: z.string().nullable().meta({ description: 'The next step, where there is one' }),
    action: z
      .enum(['connect', 'choose', 'snapshot', 'install', 'review', 'publish', 'look'])
      .nullable()
      .meta({ description: 'Where that step is taken' }),
  })
  .meta({ id: 'TagManagerCheck' });

export const verification = z
  .object({
    complete: z.boolean().meta({ description: 'All three hold' }),
    checked_at: time,
    snapshot_taken_at: time.nullable(),
    checks: z.array(check),
  })
  .meta({ id: 'TagManagerVerification' });

export type OurTemplate = z.infer<typeof ourTemplate>;
export type OurTag = z.infer<typeof ourTag>;
export type LiveView = z.infer<typeof liveView>;
export type SnapshotView = z.infer<typeof snapshotView>;
export type ContainerObject = z.infer<typeof containerObject>;
export type ObjectDetail = z.infer<typeof objectDetail>;
export type ObjectQuery = z.infer<typeof objectQuery>;
export type FieldDifference = z.infer<typeof fieldDifference>;
export type ObjectDifference = z.infer<typeof objectDifference>;
export type Check = z.infer<typeof check>;
export type Verification = z.infer<typeof verification>;
