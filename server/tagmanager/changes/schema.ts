import { z } from 'zod';
import { paging, time } from '../../http/schema.ts';
import { publicUrl } from '../../settings/schema.ts';
import { definition, kind } from '../api/schema.ts';
import { fieldDifference } from '../snapshot/schema.ts';

export const changeAction = z.enum(['create', 'update', 'delete']);

export const changeStatus = z
  .enum(['proposed', 'accepted', 'applied', 'rejected', 'conflict', 'withdrawn'])
  .meta({
    description:
      '`accepted`: is being written; `conflict`: somebody else changed the object, so nothing was written; `withdrawn`: of a container or connection that is no longer chosen',
  });

/** What another change of the same list is called, so that an object can stand on one not made yet. */
const ref = z.string().regex(/^[a-z0-9_-]{1,40}$/, 'must be small letters, digits, - or _');
const objectId = z.string().regex(/^\d{1,20}$/, 'must be a number');
const body = definition.superRefine((value, context) => {
  const message = faultIn(value);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/** Far deeper than parameters of parameters go. */
const DEEPEST = 50;

/** Whatever is accepted can be stored, sent and compared as it is. */
function faultIn(body: unknown): string | undefined {
  // One level after the other, since what is nested without end must not be followed by calls.
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return `must not be nested deeper than ${DEEPEST} levels`;
    if (level.some((one) => typeof one === 'string' && !isWhole(one))) {
      return 'must not have the character NUL, or half a character, in its texts';
    }
    level = level.flatMap(partsOf);
  }
  return JSON.stringify(body).length > 500_000 ? 'must be 500,000 characters or fewer' : undefined;
}

function partsOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Array.isArray(value) ? (value as unknown[]) : Object.entries(value).flat();
}

function isWhole(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

export const newChange = z
  .discriminatedUnion('action', [
    z.strictObject({ action: z.literal('create'), kind, ref: ref.optional(), body }),
    z.strictObject({ action: z.literal('update'), kind, id: objectId, ref: ref.optional(), body }),
    z.strictObject({ action: z.literal('delete'), kind, id: objectId }),
  ])
  .meta({ id: 'TagManagerNewChange' });

export const newChanges = z.strictObject({
  changes: z.array(newChange).min(1).max(200).meta({
    description:
      'Where a text in a body is `change:REF`, the id of the object that the change of that name makes is put in; as the `type` of a tag it becomes the type of that template',
  }),
});

export const installInput = z.strictObject({
  url: publicUrl.optional().meta({ description: 'Where the template is to send' }),
});

export const changeIds = z.strictObject({
  ids: z.array(z.uuid()).min(1).max(500).meta({ description: 'Those that were looked at' }),
});

export const changeView = z
  .object({
    id: z.uuid(),
    action: changeAction,
    kind,
    object_id: z.string().nullable().meta({ description: 'Null until it was created' }),
    name: z.string(),
    status: changeStatus,
    needs: z.array(z.uuid()).meta({ description: 'Changes that must be accepted with it' }),
    difference: z.array(fieldDifference),
    warnings: z.array(z.string()).meta({
      description: 'What to know before accepting it',
      examples: [['2 tags fire on this trigger']],
    }),
    theirs: z
      .array(fieldDifference)
      .nullable()
      .meta({ description: 'In a conflict: what somebody else changed meanwhile' }),
    problem: z.string().nullable().meta({ description: 'Why writing it came to nothing' }),
    proposed_at: time,
    proposed_by: z.string(),
    decided_at: time.nullable(),
    decided_by: z.string().nullable(),
    applied_at: time.nullable(),
  })
  .meta({ id: 'TagManagerChange' });

export const changeDetail = changeView
  .extend({
    before: definition.nullable(),
    after: definition.nullable(),
    current: definition.nullable().meta({ description: 'In a conflict: as it is there now' }),
  })
  .meta({ id: 'TagManagerChangeDetail' });

export const changeQuery = paging.extend({
  status: z.enum(['open', 'closed', 'all']).default('open').meta({
    description: '`open`: proposed, accepted or in conflict',
  }),
});

export const byChangeId = z.strictObject({ id: z.uuid() });

export const deed = z.enum([
  'connected',
  'disconnected',
  'chose',
  'proposed',
  'accepted',
  'rejected',
  'replaced',
  'applied',
  'conflict',
  'failed',
  'undone',
  'interrupted',
  'resumed',
  'withdrawn',
]);

export const auditEntry = z
  .object({
    id: z.uuid(),
    at: time,
    who: z.string().meta({ examples: ['Dashboard, Firefox on Linux, 127.0.0.1'] }),
    deed,
    change_id: z.uuid().nullable(),
    words: z.string().meta({ description: 'What it was about' }),
  })
  .meta({ id: 'TagManagerAuditEntry' });

export type ChangeAction = z.infer<typeof changeAction>;
export type ChangeStatus = z.infer<typeof changeStatus>;
export type NewChange = z.infer<typeof newChange>;
export type ChangeView = z.infer<typeof changeView>;
export type ChangeDetail = z.infer<typeof changeDetail>;
export type ChangeQuery = z.infer<typeof changeQuery>;
export type Deed = z.infer<typeof deed>;
export type AuditEntry = z.infer<typeof auditEntry>;
