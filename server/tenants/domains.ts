/**
 * Whether a request may come from where it says it comes from: true, or the domain to name in
 * the refusal. Without either header it comes from a server, and passes.
 */
export function originAllowed(
  domains: readonly string[],
  origin: string | undefined,
  referer: string | undefined,
): true | string {
  if (domains.length === 0) return true;
  const from = origin ?? referer;
  if (from === undefined) return true;
  const host = hostOf(from);
  // Also `Origin: null`, which a sandboxed frame of any site can send.
  if (host === undefined) return from.slice(0, 100);
  return domains.some((domain) => matches(domain, host)) || host;
}

function matches(domain: string, host: string): boolean {
  return domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain;
}

function hostOf(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address)) return undefined;
  try {
    return new URL(address).hostname.replace(/\.$/, '');
  } catch {
    return undefined;
  }
}
