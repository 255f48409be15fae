import { z } from 'zod';
import { flag, paging, time } from '../http/schema.ts';

export const ruleType = z.enum(['threshold', 'missing_field', 'volume']);
export const severity = z.enum(['critical', 'warning', 'info']);
const isWhole = (text: string) => text.isWellFormed();
/** Half a surrogate pair is no text to the database; events with one are refused too. */
const HALVES = 'must not have half of a character';

const word = (max: number) => z.string().trim().min(1).max(max).refine(isWhole, HALVES);

export const tags = z.array(word(50)).max(20);
export const category = word(100);
const name = word(200);
const eventName = z.string().min(1).max(1000).refine(isWhole, HALVES);

const isPlain = (text: string) => isWhole(text) && !/[\0-\x1f]/.test(text);
const PLAIN = 'must not have control characters';

/** A place in an event's data: the literal key first, then step by step along the dots. */
const path = z
  .string()
  .min(1)
  .max(500)
  .refine(isPlain, PLAIN)
  .meta({ examples: ['order_id', 'ecommerce.items'] });

const MEASURES = ['unique', 'sum', 'avg', 'min', 'max'] as const;
const MEASURE = new RegExp(`^(?:count|(?:${MEASURES.join('|')}):.+)$`, 's');
const measure = z
  .string()
  .max(510)
  .regex(MEASURE, `must be count, or ${MEASURES.map((kind) => `${kind}:PATH`).join(', ')}`)
  .refine(isPlain, PLAIN)
  .meta({
    examples: ['count', 'unique:user_id', 'sum:value'],
    description:
      'What is measured: events, or the values at a path into their data; numbers that were sent as text count as numbers. Of no events the sum is 0, and so is the number of different values; of events that all lack the field nothing is known, and the rule is skipped',
  });

const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
const MAX_WINDOW_MINUTES = 30 * DAY_MINUTES;
/** Values are read from events as they came, not from counts, so there is more to do. */
const MAX_MEASURED_MINUTES = 7 * DAY_MINUTES;

const everyRule = {
  severity,
  consecutive: z
    .int()
    .min(1)
    .max(100)
    .default(1)
    .meta({ description: 'Cycles in a row in which it must hold before it makes an alert' }),
};

export const operator = z.enum(['>', '<', '>=', '<=', '==']);

export const thresholdConfig = z
  .strictObject({
    event_type: eventName,
    source: eventName.optional(),
    field: measure.default('count'),
    operator,
    value: z.number(),
    window_minutes: z.number().positive().max(MAX_WINDOW_MINUTES),
    ...everyRule,
  })
  .check(({ value: { field, window_minutes: minutes }, issues }) => {
    if (field === 'count' || minutes <= MAX_MEASURED_MINUTES) return;
    issues.push({
      code: 'custom',
      path: ['window_minutes'],
      message: `must be at most ${MAX_MEASURED_MINUTES} for a field other than count`,
      input: minutes,
    });
  });

export const missingFieldConfig = z.strictObject({
  event_type: eventName,
  required_fields: z.array(path).min(1).max(50),
  ...everyRule,
});

export const baseline = z.enum(['average', 'previous', 'seasonal']);

export const volumeConfig = z
  .strictObject({
    event_type: eventName,
    threshold_percent: z
      .number()
      .min(-100)
      .max(1_000_000)
      .refine((percent) => percent !== 0, 'must not be 0: negative for drops, positive for rises'),
    current_window_minutes: z
      .number()
      .positive()
      .max(7 * DAY_MINUTES),
    comparison_window_hours: z
      .number()
      .positive()
      .max(90 * 24),
    min_baseline_events: z.number().min(0).default(10),
    baseline: baseline.default('average').meta({
      description:
        'average: the hours before; previous: the same window so many hours ago; seasonal: the median of the same window on the same weekday over four weeks, of which at least two must have been listened to',
    }),
    beyond_chance: z.boolean().default(false).meta({
      description: 'Fire only when the change is also more than chance makes of so few events',
    }),
    ...everyRule,
  })
  .check(({ value: config, issues }) => {
    const hours = config.comparison_window_hours;
    if (config.baseline !== 'previous') return;
    if (hours * HOUR_MINUTES >= config.current_window_minutes) return;
    issues.push({
      code: 'custom',
      path: ['comparison_window_hours'],
      message: 'must be at least as long as current_window_minutes for the baseline previous',
      input: hours,
    });
  });

const drafts = {
  threshold: { rule_type: z.literal('threshold'), config: thresholdConfig },
  missing_field: { rule_type: z.literal('missing_field'), config: missingFieldConfig },
  volume: { rule_type: z.literal('volume'), config: volumeConfig },
};

/** The three kinds of a thing that has a type and its config, with the same other fields. */
function ofEachType<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.discriminatedUnion('rule_type', [
    z.strictObject({ ...fields, ...drafts.threshold }),
    z.strictObject({ ...fields, ...drafts.missing_field }),
    z.strictObject({ ...fields, ...drafts.volume }),
  ]);
}

export const ruleDraft = ofEachType({});

export const newRule = ofEachType({
  name,
  is_active: z.boolean().default(true),
  tags: tags.default([]),
  category: category.nullable().default(null),
}).meta({
  examples: [
    {
      name: 'Purchases stopped',
      rule_type: 'threshold',
      config: {
        event_type: 'purchase',
        operator: '<',
        value: 1,
        window_minutes: 60,
        severity: 'critical',
      },
      tags: ['checkout'],
    },
    {
      name: 'Purchases without a value',
      rule_type: 'missing_field',
      config: {
        event_type: 'purchase',
        required_fields: ['value', 'ecommerce.items'],
        severity: 'warning',
      },
    },
    {
      name: 'Page views drop',
      rule_type: 'volume',
      config: {
        event_type: 'page_view',
        threshold_percent: -50,
        current_window_minutes: 60,
        comparison_window_hours: 24,
        baseline: 'seasonal',
        severity: 'warning',
      },
    },
  ],
});

/** What the appliance itself sets; a rule that was read may be sent back with it. */
const NOT_CHANGED = ['id', 'created_at', 'updated_at', 'last_evaluated_at', 'last_verdict'];

/** A config is looked at as a whole, together with the type that holds after the change. */
const changes = z
  .strictObject({
    name,
    rule_type: ruleType,
    config: z.record(z.string(), z.unknown()).meta({ description: 'The whole of the new config' }),
    is_active: z.boolean(),
    tags,
    category: category.nullable(),
  })
  .partial()
  .meta({ 'x-examples': { pause: { value: { is_active: false } } } });

export const rulePatch = z.preprocess((body) => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([key]) => !NOT_CHANGED.includes(key)));
}, changes);

const stored = {
  id: z.uuid(),
  name,
  is_active: z.boolean(),
  tags,
  category: category.nullable(),
  created_at: time,
  updated_at: time,
};

export const storedRule = ofEachType({
  ...stored,
  tenant_id: z.uuid(),
  /** Since when it is judged as it is now; what was found before that is not about this rule. */
  revised_at: time,
});

export const rulesQuery = z.strictObject({
  active_only: flag,
  tag: z.string().optional(),
  category: z.string().optional(),
  ...paging.shape,
});

export const verdict = z
  .object({
    state: z.enum(['fires', 'quiet', 'skipped']),
    value: z.number().nullable().meta({ description: 'What was measured' }),
    expected: z.number().nullable().meta({ description: 'What the baseline led to expect' }),
    message: z.string().nullable().meta({ description: 'Why it fires, or why it was skipped' }),
  })
  .meta({ id: 'Verdict' });

export const rule = z
  .object({
    ...stored,
    rule_type: ruleType,
    config: z.union([thresholdConfig, missingFieldConfig, volumeConfig]),
    last_evaluated_at: time.nullable(),
    last_verdict: verdict.nullable(),
  })
  .meta({
    id: 'Rule',
    examples: [
      {
        ...{ id: '9b2f6a52-6f0e-4c3e-9a53-0d4f4a0f9a11', name: 'Purchases stopped' },
        rule_type: 'threshold',
        config: {
          ...{ event_type: 'purchase', field: 'count', operator: '<', value: 1 },
          ...{ window_minutes: 60, severity: 'critical', consecutive: 1 },
        },
        ...{ is_active: true, tags: ['checkout'], category: null },
        created_at: '2026-03-01T10:02:11.480Z',
        updated_at: '2026-03-01T10:02:11.480Z',
        last_evaluated_at: '2026-03-01T10:15:00.000Z',
        last_verdict: { state: 'quiet', value: 18, expected: null, message: null },
      },
    ],
  });

export const previewDraft = ofEachType({
  days: z
    .int()
    .min(1)
    .max(90)
    .default(30)
    .meta({ description: 'How far to look back; events are not kept for ever' }),
  until: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: 'Look back from this time instead of from now' }),
}).meta({
  examples: [
    {
      rule_type: 'volume',
      config: {
        ...{ event_type: 'page_view', threshold_percent: -50, current_window_minutes: 60 },
        ...{ comparison_window_hours: 168, baseline: 'seasonal', severity: 'warning' },
      },
      days: 14,
    },
  ],
});

export const preview = z
  .object({
    from: time,
    to: time,
    fired: z.int().meta({ description: 'Cycles in which it would have made an alert' }),
    skipped: z.int().meta({ description: 'Cycles in which it could not have been judged' }),
    fired_a_day: z.number(),
    points: z.array(
      z.object({
        timestamp: time,
        ...verdict.shape,
        alert: z.boolean().meta({ description: 'Whether it would have made an alert' }),
      }),
    ),
  })
  .meta({
    id: 'RulePreview',
    examples: [
      {
        ...{ from: '2026-02-27T10:15:00.000Z', to: '2026-03-01T10:15:00.000Z' },
        ...{ fired: 1, skipped: 0, fired_a_day: 0.5 },
        points: [
          {
            ...{ timestamp: '2026-03-01T10:15:00.000Z', state: 'fires', value: 0 },
            expected: null,
            message: 'Threshold exceeded: 0 < 1 in 60 min window',
            alert: true,
          },
        ],
      },
    ],
  });

/** What is remembered of a rule from one cycle to the next. */
export interface RuleState {
  /** The `revised_at` of the rule that was judged. */
  of: string;
  evaluatedAt: number;
  verdict: Verdict;
  /** Cycles in a row in which it fired, not counting those in which it could not be judged. */
  streak: number;
  /** When a webhook was last told of it, and which, for as long as it has not gone quiet. */
  pushed: { at: number; to: string } | null;
}

/** A verdict with what is known besides while it is made, for the alert that may come of it. */
export interface Judgement extends Verdict {
  lacking?: { fields: readonly string[]; minutes: number };
}

/** A time from its first moment up to, but not with, its last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export type RuleType = z.infer<typeof ruleType>;
export type Severity = z.infer<typeof severity>;
export type Operator = z.infer<typeof operator>;
export type ThresholdConfig = z.infer<typeof thresholdConfig>;
export type MissingFieldConfig = z.infer<typeof missingFieldConfig>;
export type VolumeConfig = z.infer<typeof volumeConfig>;
export type RuleDraft = z.infer<typeof ruleDraft>;
export type NewRule = z.infer<typeof newRule>;
export type RulePatch = z.infer<typeof rulePatch>;
export type StoredRule = z.infer<typeof storedRule>;
export type Verdict = z.infer<typeof verdict>;
export type RuleView = z.infer<typeof rule>;
export type PreviewDraft = z.infer<typeof previewDraft>;
export type Preview = z.infer<typeof preview>;
