import type { Keys } from './keys.ts';
import type { TenantStore } from './store.ts';

interface Parts {
  tenants: Pick<TenantStore, 'list' | 'listKeys'>;
  keys: Pick<Keys, 'secret'>;
}

/** Takes the keys out of a text. */
export type Mask = (text: string) => string;

/** A key as Vedette makes it; what a cut has left of one counts as long as it could be completed. */
const SHAPE = /vdt_[\w-]{32,}/g;

/**
 * API keys in texts that somebody else wrote, shown by their end alone. Of all tenants: two may well
 * send from one container.
 */
export const createKeyMask =
  ({ tenants, keys }: Parts) =>
  (): Mask => {
    const known = tenants
      .list()
      .flatMap(({ id: tenantId }) =>
        tenants.listKeys(tenantId).flatMap(({ id, last_four }) => {
          const secret = secretOf(tenantId, id);
          return secret === undefined ? [] : [{ secret, shown: masked(last_four) }];
        }),
      )
      // One may begin with another, of which the rest would be left.
      .sort((a, b) => b.secret.length - a.secret.length)
      .map(({ secret, shown }) => ({ pattern: patternOf(secret), shown }));
    return (text) =>
      known
        .reduce((left, { pattern, shown }) => left.replace(pattern, () => shown), text)
        .replace(SHAPE, masked);

    function secretOf(tenantId: string, id: string): string | undefined {
      try {
        return keys.secret(tenantId, id);
      } catch {
        // It cannot be decrypted now, and is known by its shape alone.
        return undefined;
      }
    }
  };

const masked = (key: string): string => `••••${key.slice(-4)}`;

const patternOf = (key: string): RegExp => new RegExp(key.replace(/\\+|[\W_]/g, written), 'gi');

/**
 * A sign as it is, and as it stands in a string of code, in an address or in markup. There must be
 * one way only to read backslashes, and not too many of them: else a text that is full of them
 * takes as good as for ever.
 */
function written({ 0: sign = '', length }: string): string {
  const hex = sign.charCodeAt(0).toString(16);
  const coded = String.raw`&#?\w+;|%(?:25){0,3}${hex}`;
  if (sign !== '\\') {
    return String.raw`(?:${coded}|(?:(?<!\\)\\{1,8})?(?:u00${hex}|x${hex}|\x${hex}))`;
  }
  // Those of the sign behind them are among them.
  const most = 8 * (length + 1);
  return String.raw`(?:\\{${length},${most}}|(?:${coded}|\\{1,8}(?:u00|x)${hex}){${length}})`;
}
