import type { Scope } from '$server/tenants/schema.ts';

export const SCOPES: Record<Scope, string> = {
  full: 'Everything',
  read: 'Only read',
  ingest: 'Only send',
};

export const SCOPE_HINTS: Record<Scope, string> = {
  full: 'Sends, reads, and changes rules, alerts and settings. Keep it on servers of your own.',
  read: 'Reads events, rules and alerts, and changes nothing.',
  ingest: 'Sends events and nothing else. The one to use in web pages, where anyone can see it.',
};

/** What is wrong with the entries of a list of domains, each named. */
export function domainFaults(
  domains: readonly string[],
  faults: readonly { step: string; message: string }[],
): string | undefined {
  const words = faults.map(({ step, message }) => `${domains[Number(step)] ?? 'One'} ${message}`);
  return words.length > 0 ? words.join('; ') : undefined;
}
