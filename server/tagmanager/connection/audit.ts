/** Keeps who connected, disconnected and chose. */
export type Audit = (
  tenantId: string,
  entry: { deed: 'connected' | 'disconnected' | 'chose'; who: string; words: string },
) => unknown;
