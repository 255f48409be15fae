import { z } from 'zod';
import { paging, time } from '../http/schema.ts';
import { severity } from '../rules/schema.ts';

export const webhookFormat = z.enum(['standard', 'slack', 'teams', 'discord']);

const url = z
  .string()
  .max(2000)
  .superRefine((text, context) => {
    const message = faultOfUrl(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .meta({
    description: 'Where alerts are sent to; many chat systems mean it to be kept secret',
    examples: ['https://hooks.shop.example/vedette'],
  });

export const severities = severity.options;
export const SECRET_PREFIX = 'whsec_';

/** Taken with or without its prefix, and kept as receivers expect it. */
const secret = z
  .string()
  .transform((text, context) => {
    const bytes = secretBytes(text);
    if (bytes !== undefined) return SECRET_PREFIX + toBase64(bytes);
    const message = `must be ${SECRET_PREFIX} and then 24 to 64 random bytes in base64; leave it out to have one made`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({
    description: 'Signs what is sent, as Standard Webhooks says; null or left out keeps it',
  });

const headerValue = z
  .string()
  .max(4000)
  .regex(/^[\x20-\x7e\xa0-\xff]*$/, {
    error: 'must have no control characters, and none that do not fit into a header',
  });

const headers = z
  .record(z.string(), headerValue.nullable())
  .superRefine((all, context) => {
    const names = Object.keys(all);
    if (names.length > MAX_HEADERS) {
      const message = `must have at most ${MAX_HEADERS} entries`;
      context.addIssue({ code: 'custom', message });
    }
    const seen = new Set<string>();
    for (const name of names) {
      const message = seen.has(name.toLowerCase()) ? 'is there twice' : faultOfHeader(name);
      seen.add(name.toLowerCase());
      if (message) context.addIssue({ code: 'custom', path: [name], message });
    }
  })
  .meta({
    description: 'Sent along; replaces all that there were. A value of null keeps the stored one',
    examples: [{ 'X-Team': 'shop' }],
  });

/** Only what is sent changes; all but `url` has a value of its own at first (see config.ts). */
export const webhookPatch = z
  .strictObject({
    url,
    secret: secret.nullable(),
    enabled: z.boolean(),
    severities: z
      .array(severity)
      .min(1)
      .transform((all) => [...new Set(all)]),
    repeat_after_minutes: z.number().min(0).max(43_200).meta({
      description: 'A rule that keeps firing is sent again after this long; 0 sends every alert',
    }),
    format: webhookFormat,
    headers,
    allow_private: z.boolean().meta({
      description:
        'Whether `url` may be on a private network or this machine. Only a session can allow it, and only for that address: a new `url` must be allowed again',
    }),
  })
  .partial();

/** Fits into the patch as it is, and then changes nothing. */
export const webhook = z
  .object({
    url: z
      .string()
      .meta({ description: 'A key that may only read sees where it leads, and not all of it' }),
    secret: z
      .string()
      .nullable()
      .meta({ description: 'Shown by the answer that set it, and null in every other' }),
    enabled: z.boolean(),
    severities: z.array(severity),
    repeat_after_minutes: z.number(),
    format: webhookFormat,
    headers: z
      .record(z.string(), z.null())
      .meta({ description: 'Names only: the values are not shown' }),
    allow_private: z.boolean(),
  })
  .meta({
    id: 'Webhook',
    examples: [
      {
        url: 'https://hooks.shop.example/vedette',
        secret: null,
        enabled: true,
        severities: ['critical', 'warning'],
        repeat_after_minutes: 240,
        format: 'standard',
        headers: { 'X-Team': null },
        allow_private: false,
      },
    ],
  });

export const webhookSecret = z.object({ secret: z.string() });

/**
 * Address, secret and headers are sealed together, since each of them may be a secret; and with the
 * address what the owner allowed for it.
 */
export const storedWebhook = z.strictObject({
  /** Another one whenever it is set up anew or switched on again: who hears then knows nothing yet. */
  id: z.uuid(),
  sealed: z.string(),
  enabled: z.boolean(),
  severities: z.array(severity),
  repeat_after_minutes: z.number(),
  format: webhookFormat,
  problem: z.string().nullable(),
});

export const sealedPart = z.strictObject({
  url: z.string(),
  secret: z.string(),
  headers: z.record(z.string(), z.string()),
  allow_private: z.boolean(),
});

export const alertMessageType = z.enum(['alert.created', 'alert.acknowledged', 'alert.resolved']);
export const messageType = z.enum([...alertMessageType.options, 'test']);
export const deliveryStatus = z.enum(['pending', 'delivered', 'failed', 'cancelled']);

const messageId = z.string().regex(/^msg_[\w-]{24}$/, 'must be the id of a delivery, like msg_…');
export const byMessageId = z.strictObject({ id: messageId });

export const deliveryQuery = z.strictObject({
  status: deliveryStatus.optional(),
  alert_id: z.uuid().optional(),
  ...paging.shape,
});

export const delivery = z
  .object({
    id: z.string().meta({ description: 'The webhook-id, the same in every attempt' }),
    type: messageType,
    alert_id: z.uuid().nullable(),
    status: deliveryStatus,
    attempts: z.int(),
    created_at: time,
    next_attempt_at: time.nullable(),
    last_attempt_at: time.nullable(),
    last_status: z.int().nullable().meta({ description: 'The HTTP status that was answered' }),
    last_error: z.string().nullable().meta({ description: 'Why it did not arrive, in words' }),
    finished_at: time.nullable(),
  })
  .meta({
    id: 'Delivery',
    examples: [
      {
        id: 'msg_m1Xk0yD3bq2u5Jc8vR7wTzEh',
        type: 'alert.created',
        alert_id: '4f9d7f5e-6f3f-4b8e-9a53-0d4f4a0f9a11',
        status: 'pending',
        attempts: 1,
        created_at: '2026-03-01T10:00:00.000Z',
        next_attempt_at: '2026-03-01T10:00:05.210Z',
        last_attempt_at: '2026-03-01T10:00:00.120Z',
        last_status: 500,
        last_error: 'answered 500',
        finished_at: null,
      },
    ],
  });

export const deliveryWithPayload = z
  .object({
    ...delivery.shape,
    payload: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The standard body; chat formats are made from it' }),
  })
  .meta({ id: 'DeliveryWithPayload' });

export type WebhookFormat = z.infer<typeof webhookFormat>;
export type WebhookPatch = z.infer<typeof webhookPatch>;
export type WebhookView = z.infer<typeof webhook>;
export type StoredWebhook = z.infer<typeof storedWebhook>;
export type SealedPart = z.infer<typeof sealedPart>;
export type AlertMessageType = z.infer<typeof alertMessageType>;
export type MessageType = z.infer<typeof messageType>;
export type DeliveryStatus = z.infer<typeof deliveryStatus>;
export type DeliveryQuery = z.infer<typeof deliveryQuery>;
export type Delivery = z.infer<typeof delivery>;
export type DeliveryWithPayload = z.infer<typeof deliveryWithPayload>;

const MAX_HEADERS = 20;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;
/** Set by the sending itself, or by HTTP underneath it. */
const OWN_HEADERS =
  /^(host|content-length|content-type|connection|transfer-encoding|upgrade|te|trailer|keep-alive|expect|proxy-.*|webhook-.*|vedette-.*)$/i;

function faultOfHeader(name: string): string | undefined {
  if (!TOKEN.test(name)) return 'is not a name that a header can have';
  return OWN_HEADERS.test(name) ? 'is set by the sending itself' : undefined;
}

function faultOfUrl(text: string): string | undefined {
  const form = 'must be a web address like https://hooks.shop.example/vedette';
  if (/[\s\p{Cc}]/u.test(text)) return 'must not have spaces';
  if (!/^https?:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) return form;
  const { username, password } = new URL(text);
  if (username === '' && password === '') return undefined;
  return 'must not have a user name or password, which cannot be sent this way: use the header Authorization';
}

/** Base64 is read by hand, since what is lenient here may be refused by the receiver. */
function secretBytes(text: string): Uint8Array | undefined {
  const bare = text.startsWith(SECRET_PREFIX) ? text.slice(SECRET_PREFIX.length) : text;
  const unpadded = bare.replace(/={0,2}$/, '');
  if (!/^[A-Za-z0-9+/]+$/.test(unpadded) || unpadded.length % 4 === 1) return undefined;
  const bytes = Uint8Array.from(atob(unpadded), (char) => char.charCodeAt(0));
  return bytes.length >= 24 && bytes.length <= 64 ? bytes : undefined;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
