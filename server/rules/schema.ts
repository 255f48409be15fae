import { z } from 'zod';

export const ruleType = z.enum(['threshold', 'missing_field', 'volume']);
export const severity = z.enum(['critical', 'warning', 'info']);
export const tags = z.array(z.string().trim().min(1).max(50)).max(20);
export const category = z.string().trim().min(1).max(100);

export type RuleType = z.infer<typeof ruleType>;
export type Severity = z.infer<typeof severity>;
