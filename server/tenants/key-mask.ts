import type { Keys } from './keys.ts';
import type { TenantStore } from './store.ts';

interface Parts {
  tenants: Pick<TenantStore, 'list' | 'listKeys'>;
  keys: Pick<Keys, 'secret'>;
}

interface Known {
  secret: string;
  shown: string;
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
      .filter(hasOwnShape)
      // One may begin with another.
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

/** A key that was handed to Vedette looks as whoever chose it liked. */
const hasOwnShape = ({ secret }: Known): boolean => secret.replace(SHAPE, '') !== '';

const patternOf = (key: string): RegExp => new RegExp(key.replace(/\W/g, written), 'gi');

/** A sign as it is, and as it stands in a string of code, in an address or in markup. */
function written(sign: string): string {
  const hex = sign.charCodeAt(0).toString(16);
  return String.raw`(?:&#?\w+;|\\u00${hex}|%${hex}|\\*\x${hex})`;
}
