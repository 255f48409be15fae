import type { Scope } from '$server/tenants/schema.ts';

export const SCOPES: Record<Scope, string> = {
  full: 'Everything',
  read: 'Only read',
  ingest: 'Only send',
  metrics: 'Only metrics',
};

export const SCOPE_HINTS: Record<Scope, string> = {
  full: 'Sends, reads, and changes rules, alerts and settings. Keep it on servers of your own.',
  read: 'Reads events, rules and alerts, and changes nothing.',
  ingest: 'Sends events and nothing else. The one to use in web pages, where anyone can see it.',
  metrics: 'Reads /metrics and nothing else. The one for Prometheus. Metrics cover all tenants.',
};
