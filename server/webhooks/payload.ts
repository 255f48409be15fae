import type { Alert } from '../alerts/schema.ts';
import { randomToken } from '../platform/secrets.ts';
import type { AlertMessageType } from './schema.ts';

interface Owner {
  id: string;
  name: string;
}

/** What receivers get in the standard format, and what the chat formats are made from. */
export type Payload = { timestamp: string } & (
  | { type: AlertMessageType; data: Alert & { tenant: Owner } }
  | { type: 'test'; data: { message: string; tenant: Owner } }
);

/** Random, with room for no other of its kind ever. */
export const newMessageId = (): string => `msg_${randomToken(18)}`;

export function alertPayload(
  type: AlertMessageType,
  alert: Alert,
  { id, name }: Owner,
  now: number,
): string {
  return textOf({ type, timestamp: timeOf(now), data: { ...alert, tenant: { id, name } } });
}

export function testPayload({ id, name }: Owner, now: number): string {
  const data = { message: 'This is a test from Vedette', tenant: { id, name } };
  return textOf({ type: 'test', timestamp: timeOf(now), data });
}

function textOf(payload: Payload): string {
  return JSON.stringify(payload);
}

function timeOf(now: number): string {
  return new Date(now).toISOString();
}
