import { z } from 'zod';
import { MAX_EVENTS } from '../platform/bounds.ts';
import { cursorPaging, moment, partly, time, timeRange, uuid } from '../http/schema.ts';

const text = z.string();
const payload = z.record(z.string(), z.unknown());

/** What POST /api/v1/events takes. Further keys of an item are not kept. */
export const eventInput = z.object({ source: text, event_type: text, data: payload });
export const eventBatch = z
  .array(eventInput)
  .max(MAX_EVENTS)
  .meta({
    examples: [
      [{ source: 'backend', event_type: 'purchase', data: { order_id: 'A-1001', value: 49.9 } }],
    ],
  });
export const ingested = z.object({ ingested: z.int() });

/** What the pixel's parameter d carries, as the tag-manager template builds it. */
export const pixelPayload = z.object({
  source: text,
  source_id: text.nullish(),
  events: z.array(
    z.object({
      type: text,
      timestamp: z.int().nullish().meta({ description: 'Milliseconds since 1970' }),
      data: payload,
      metadata: payload.nullish(),
    }),
  ),
});

export const event = z
  .object({
    id: z.uuid(),
    source: z.string(),
    event_type: z.string(),
    data: z.record(z.string(), z.unknown()),
    created_at: z.iso.datetime(),
    context: z
      .object({
        source_id: z.string().optional(),
        timestamp: z.int().optional(),
        metadata: z.record(z.string(), z.unknown()).optional(),
      })
      .optional()
      .meta({ description: "The pixel's own words; absent on events that came by POST" }),
  })
  .meta({ id: 'Event' });

export const filter = z.strictObject({
  source: z.string().optional(),
  event_type: z.string().optional(),
});

const searchText = z.string().min(1).max(200).optional().meta({
  description:
    'Only events that have this in their data, type or context, in capital or small letters',
});

/** As rules name fields: the literal key first, then step by step along the dots. */
const fieldPath = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => !/[\0-\x1f]/.test(text), 'must not have control characters');

export const listQuery = z.strictObject({
  ...filter.shape,
  text: searchText,
  missing: fieldPath
    .optional()
    .meta({ description: 'Only events whose data has nothing, or null, at this path' }),
  since: moment.optional().meta({ description: 'Only events received at or after this time' }),
  until: moment.optional().meta({ description: 'Only events received before this time' }),
  ...cursorPaging.shape,
});

export const byEvent = z.strictObject({ event_id: uuid });

const streamFilter = z.strictObject({ ...filter.shape, text: searchText });

export const streamQuery = z.strictObject({
  ...streamFilter.shape,
  last_event_id: z.uuid().optional().meta({ description: 'As the header Last-Event-ID' }),
});

export const streamHeaders = z.object({
  'last-event-id': z.union([z.uuid(), z.literal('')]).optional(),
});

export const nothing = z.strictObject({});

export const activityQuery = z.strictObject({
  ...filter.shape,
  time_range: timeRange.default('24h'),
  since: moment.optional().meta({
    description:
      'Counts from the bucket of this time on, instead of `time_range`; the buckets are as fine as 240 of them allow',
  }),
  until: moment.optional().meta({
    description: 'With `since`: up to the bucket of this time, which is now where it is left out',
  }),
});
export const activityPoint = z
  .object({ timestamp: z.iso.datetime(), count: z.int() })
  .meta({ id: 'EventActivityPoint' });

/** What is counted by name. */
export const namesQuery = partly;
export const countsQuery = z.strictObject({ time_range: timeRange.optional(), ...partly.shape });
export const eventCount = z
  .object({
    source: z.string().nullable().meta({
      description: 'null for all sources together that are not counted by name',
    }),
    event_type: z.string().nullable().meta({
      description: 'null, with source null, for everything else that is not counted by name',
    }),
    count: z.int(),
    first_seen: z.iso.datetime(),
    last_seen: z.iso.datetime(),
  })
  .meta({ id: 'EventCount' });

/** Which names were made up, and are to be counted with the rest. */
export const namesRemoval = z.strictObject({
  first_seen_since: z.iso.datetime({ offset: true }).meta({
    description: 'Only pairs of type and source that were first seen at this time or later',
  }),
  max_events: z.int().min(1).meta({ description: 'Only pairs with this many events or fewer' }),
  dry_run: z.boolean().default(false).meta({ description: 'Only show what would be removed' }),
});
export const namesRemoved = z
  .object({
    names: z.int().meta({ description: 'How many pairs of type and source' }),
    events: z.int(),
    examples: z
      .array(z.object({ source: z.string(), event_type: z.string(), count: z.int() }))
      .meta({
        description: 'Those with the most events',
      }),
  })
  .meta({ id: 'NamesRemoved' });

export const fieldsQuery = z.strictObject({
  event_type: z.string(),
  source: z.string().optional(),
});

const howMany = z.int().optional();

export const fieldEntry = z
  .object({
    path: z.string().meta({ description: 'As rules read it, or `items[].price` within a list' }),
    in_list: z.boolean(),
    filled: z.int().meta({ description: 'Sampled events that have something there' }),
    null: z.int().meta({ description: 'Sampled events that have only null there' }),
    types: z
      .object({
        string: howMany,
        number: howMany,
        boolean: howMany,
        object: howMany,
        array: howMany,
      })
      .meta({ description: 'Sampled events that have a value of each type there' }),
    examples: z.array(z.string()),
  })
  .meta({ id: 'FieldEntry' });

export const eventFields = z
  .object({
    event_type: z.string(),
    sampled: z.int(),
    from: time.nullable(),
    to: time.nullable(),
    fields: z.array(fieldEntry),
  })
  .meta({ id: 'EventFields' });

const usually = z.number().nullable();

/** How many there were, against what is usual; null where too little is known to say. */
const held = {
  count: z.int(),
  usual: usually.meta({ description: 'The median of the same time in the weeks or days before' }),
  low: usually,
  high: usually,
  weeks: z.int().meta({
    description: 'Weeks that it is held against; 0 where it is the days before, or nothing',
  }),
};

export const usual = z
  .object({
    points: z.array(z.object({ timestamp: time, ...held })),
    last_hour: z.object(held),
  })
  .meta({ id: 'Usual' });

export const rejectedItem = z
  .object({
    id: z.uuid(),
    endpoint: z.enum(['events', 'collect']),
    status: z.int(),
    detail: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })),
    payload: z.string().meta({
      description:
        'The body or parameter as it came, cut at 64 KiB; empty if the body was not read, as when the domain or scope was refused',
    }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'RejectedItem' });

export type EventFilter = z.infer<typeof filter>;
export type ListQuery = z.infer<typeof listQuery>;
export type StreamFilter = z.infer<typeof streamFilter>;
export type Event = z.infer<typeof event>;
export type ActivityQuery = z.infer<typeof activityQuery>;
export type EventActivityPoint = z.infer<typeof activityPoint>;
export type NamesQuery = z.infer<typeof namesQuery>;
export type EventCount = z.infer<typeof eventCount>;
export type NamesRemoval = z.infer<typeof namesRemoval>;
export type NamesRemoved = z.infer<typeof namesRemoved>;
export type EventFields = z.infer<typeof eventFields>;
export type FieldEntry = z.infer<typeof fieldEntry>;
export type Usual = z.infer<typeof usual>;
export type RejectedItem = z.infer<typeof rejectedItem>;
