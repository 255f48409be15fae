import { createScanner } from './scan.ts';
import type { Shape } from './scan.ts';

/** What a scan checks; schema.ts says the same to people, and a test holds the two together. */
export const PART = {
  source: 1,
  sourceId: 2,
  type: 3,
  timestamp: 4,
  data: 5,
  metadata: 6,
  event: 7,
} as const;

const batch: Shape = {
  kind: 'list',
  of: {
    kind: 'record',
    fields: {
      source: { kind: 'string' },
      event_type: { kind: 'string' },
      data: { kind: 'object', keep: PART.data },
    },
  },
};

const pixel: Shape = {
  kind: 'record',
  fields: {
    source: { kind: 'string', keep: PART.source },
    source_id: { kind: 'string', optional: true, keep: PART.sourceId },
    events: {
      kind: 'list',
      of: {
        kind: 'record',
        keep: PART.event,
        fields: {
          type: { kind: 'string', keep: PART.type },
          timestamp: { kind: 'integer', optional: true, keep: PART.timestamp },
          data: { kind: 'object', keep: PART.data },
          metadata: { kind: 'object', optional: true, keep: PART.metadata },
        },
      },
    },
  },
};

export const scanBatch = createScanner(batch);
export const scanPixel = createScanner(pixel);
