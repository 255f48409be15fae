import { z } from 'zod';
import { time } from '../http/schema.ts';

export const trigger = z.enum(['schedule', 'late', 'manual']);

export const evaluation = z
  .object({
    id: z.uuid(),
    trigger: trigger.meta({
      description: 'schedule: on time; late: the machine slept or was off; manual: asked for',
    }),
    evaluated_at: time.meta({ description: 'All windows of the cycle end at this moment' }),
    started_at: time,
    duration_ms: z.number(),
    rules: z.int().meta({ description: 'Active rules that were judged' }),
    fired: z.int().meta({ description: 'Rules whose condition held' }),
    alerts: z.int().meta({ description: 'Alerts that were made' }),
    skipped: z.array(z.object({ rule_id: z.uuid(), rule_name: z.string(), reason: z.string() })),
  })
  .meta({
    id: 'Evaluation',
    examples: [
      {
        id: '01932f6e-7c00-7000-8000-000000000000',
        trigger: 'schedule',
        evaluated_at: '2026-03-01T10:15:00.000Z',
        started_at: '2026-03-01T10:15:01.004Z',
        duration_ms: 41,
        rules: 12,
        fired: 1,
        alerts: 1,
        skipped: [
          {
            rule_id: '9b2f6a52-6f0e-4c3e-9a53-0d4f4a0f9a11',
            rule_name: 'Page views drop',
            reason: 'collector was offline 07:12–08:03',
          },
        ],
      },
    ],
  });

export type Trigger = z.infer<typeof trigger>;
export type Evaluation = z.infer<typeof evaluation>;
