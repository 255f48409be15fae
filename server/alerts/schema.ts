import { z } from 'zod';
import { category, ruleType, severity, tags } from '../rules/schema.ts';

const time = z.iso.datetime();

/** An alert keeps a copy of what its rule was, so that it can be read when the rule is gone. */
export const alert = z
  .object({
    id: z.uuid(),
    rule_id: z.uuid(),
    severity,
    message: z.string(),
    is_resolved: z.boolean(),
    is_acknowledged: z.boolean(),
    created_at: time,
    rule_name: z.string(),
    rule_type: ruleType,
    event_type: z.string(),
    source: z.string().nullable(),
    tags,
    category: category.nullable(),
    value: z.number().nullable().meta({ description: 'What was measured' }),
    acknowledged_at: time.nullable(),
    acknowledge_note: z.string().nullable(),
    resolved_at: time.nullable(),
    resolve_note: z.string().nullable(),
  })
  .meta({ id: 'Alert' });

export type Alert = z.infer<typeof alert>;
