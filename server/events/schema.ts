import { z } from 'zod';
import { moment, paging, timeRange } from '../http/schema.ts';

const text = z.string();
const payload = z.record(z.string(), z.unknown());

export const MAX_EVENTS = 50_000;
export const MAX_BODY_BYTES = 16 * 1024 * 1024;
export const MAX_PIXEL_CHARS = 64 * 1024;

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

export const listQuery = z.strictObject({
  ...filter.shape,
  since: moment.optional().meta({ description: 'Only events received at or after this time' }),
  until: moment.optional().meta({ description: 'Only events received before this time' }),
  ...paging.shape,
});

export const streamQuery = z.strictObject({
  ...filter.shape,
  last_event_id: z.uuid().optional().meta({ description: 'As the header Last-Event-ID' }),
});

export const streamHeaders = z.object({
  'last-event-id': z.union([z.uuid(), z.literal('')]).optional(),
});

export const nothing = z.strictObject({});

export const activityQuery = z.strictObject({
  ...filter.shape,
  time_range: timeRange.default('24h'),
});
export const activityPoint = z
  .object({ timestamp: z.iso.datetime(), count: z.int() })
  .meta({ id: 'EventActivityPoint' });

export const countsQuery = z.strictObject({ time_range: timeRange.optional() });
export const eventCount = z
  .object({
    source: z.string(),
    event_type: z.string(),
    count: z.int(),
    first_seen: z.iso.datetime(),
    last_seen: z.iso.datetime(),
  })
  .meta({ id: 'EventCount' });

export const rejectedItem = z
  .object({
    id: z.uuid(),
    endpoint: z.enum(['events', 'collect']),
    status: z.int(),
    detail: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })),
    payload: z.string().meta({ description: 'The body or parameter as it came, cut at 64 KiB' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'RejectedItem' });

export type EventFilter = z.infer<typeof filter>;
export type ListQuery = z.infer<typeof listQuery>;
