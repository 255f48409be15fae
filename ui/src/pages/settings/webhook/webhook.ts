import type { Severity } from '$server/rules/schema.ts';
import type {
  Delivery,
  DeliveryStatus,
  MessageType,
  WebhookFormat,
  WebhookPatch,
  WebhookView,
} from '$server/webhooks/schema.ts';
import { plural } from '../../../lib/words.ts';

export const FORMATS: readonly { value: WebhookFormat; label: string }[] = [
  { value: 'standard', label: 'Standard Webhooks (JSON, signed)' },
  { value: 'slack', label: 'Slack' },
  { value: 'teams', label: 'Microsoft Teams' },
  { value: 'discord', label: 'Discord' },
];

export const SEVERITIES: readonly Severity[] = ['critical', 'warning', 'info'];

export const TYPES: Record<MessageType, string> = {
  'alert.created': 'Alert made',
  'alert.acknowledged': 'Alert acknowledged',
  'alert.resolved': 'Alert resolved',
  test: 'Test',
};

export const STATUSES: Record<DeliveryStatus, string> = {
  pending: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

export interface Header {
  name: string;
  /** Null: a value is stored, and stays what it is. */
  value: string | null;
  isStored: boolean;
}

/** A webhook as its form has it. */
export interface WebhookDraft {
  url: string;
  format: WebhookFormat;
  severities: Severity[];
  repeat: string;
  headers: Header[];
  allowPrivate: boolean;
  enabled: boolean;
}

export function draftOf(webhook: WebhookView | null): WebhookDraft {
  return {
    url: webhook?.url ?? '',
    format: webhook?.format ?? 'standard',
    severities: [...(webhook?.severities ?? SEVERITIES)],
    repeat: String(webhook?.repeat_after_minutes ?? 240),
    headers: Object.keys(webhook?.headers ?? {}).map((name) => ({
      name,
      value: null,
      isStored: true,
    })),
    allowPrivate: webhook?.allow_private ?? false,
    enabled: webhook?.enabled ?? true,
  };
}

/** Row by row what would get lost on the way: headers are sent by their names. */
export function headerFaults(headers: readonly Header[]): (string | undefined)[] {
  const seen = new Set<string>();
  return headers.map(({ name, value, isStored }) => {
    const key = name.trim().toLowerCase();
    if (key === '') return isStored || value ? 'needs a name' : undefined;
    if (seen.has(key)) return 'is there twice';
    seen.add(key);
    return undefined;
  });
}

/** Only what was changed; empty where nothing was. */
export function patchOf(draft: WebhookDraft, before: WebhookDraft | undefined): WebhookPatch {
  const repeat = draft.repeat.trim() === '' ? Number.NaN : Number(draft.repeat);
  const whole: WebhookPatch = {
    url: draft.url.trim(),
    format: draft.format,
    severities: SEVERITIES.filter((severity) => draft.severities.includes(severity)),
    repeat_after_minutes: repeat,
    headers: Object.fromEntries(
      draft.headers.filter(({ name }) => name.trim() !== '').map((h) => [h.name.trim(), h.value]),
    ),
    allow_private: draft.allowPrivate,
    enabled: draft.enabled,
  };
  if (before === undefined) return whole;
  const old = patchOf(before, undefined);
  const textOf = (patch: WebhookPatch, name: string) => JSON.stringify(Reflect.get(patch, name));
  const isOther = (name: string) => textOf(whole, name) !== textOf(old, name);
  return Object.fromEntries(Object.entries(whole).filter(([name]) => isOther(name)));
}

/** How a delivery went, in words. */
export function outcomeOf({ status, attempts, last_status, last_error }: Delivery): string {
  const tries = plural(attempts, 'attempt');
  if (status === 'delivered') return `Arrived; answered ${last_status ?? 'nothing'}`;
  if (status === 'cancelled') return `Not sent: ${last_error ?? 'it was cancelled'}`;
  if (last_error === null) return status === 'pending' ? 'Not tried yet' : `Failed after ${tries}`;
  return last_error.charAt(0).toUpperCase() + last_error.slice(1);
}
