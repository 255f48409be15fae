export interface Greeted {
  version: string;
  url: string;
  firstKey: string | undefined;
  notices: readonly string[];
  signInUrl: () => string;
  dataDir: string;
}

/** What the terminal says once it listens. */
export function greeting(greeted: Greeted): string[] {
  const { version, url, firstKey, notices, signInUrl, dataDir } = greeted;
  const lines = [
    `Vedette ${version} is listening on ${url}`,
    `  Open      ${signInUrl()}`,
    `            signs you in, once, within 10 minutes`,
    `  API       ${url}/docs`,
    `  Data in   ${dataDir}`,
    ...notices.map((notice) => `  Notice    ${notice}`),
  ];
  if (firstKey !== undefined) {
    lines.push(
      '',
      'Your API key, shown this once:',
      `  ${firstKey}`,
      '',
      'Send a first event and see it again:',
      `  curl -X POST ${url}/api/v1/events -H 'X-API-Key: ${firstKey}' -H 'Content-Type: application/json' \\`,
      `    -d '[{"source":"backend","event_type":"purchase","data":{"order_id":"A-1001","value":49.9}}]'`,
      `  curl ${url}/api/v1/events -H 'X-API-Key: ${firstKey}'`,
    );
  }
  return [...lines, ''];
}
