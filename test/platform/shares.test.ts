import { describe, expect, it } from 'vitest';
import { createShares } from '../../server/platform/shares.ts';
import type { Shares, Who } from '../../server/platform/shares.ts';

/** As many as one gets, one at a time. */
function takeAll(shares: Shares, ...who: Who): number {
  let taken = 0;
  while (shares.take(who, 1)) taken++;
  return taken;
}

describe('shares', () => {
  it('give one alone a half, and the next a half of the rest', () => {
    const shares = createShares(96);
    expect(takeAll(shares, 'a')).toBe(48);
    expect(takeAll(shares, 'b')).toBe(24);
    expect(takeAll(shares, 'c')).toBe(12);
  });

  it('let somebody in however many have taken all they get', () => {
    const shares = createShares(1000);
    for (const name of 'abcdefg') takeAll(shares, name);
    expect(shares.take(['h'], 1)).toBe(true);
  });

  it('keep one address from using up the share of its key', () => {
    const shares = createShares(99);
    expect(takeAll(shares, 'key', 'address')).toBe(33);
    expect(takeAll(shares, 'key', 'another')).toBe(11);
    expect(takeAll(shares, 'other key', 'address')).toBe(18);
  });

  it('refuse what is more than is left, and take nothing of it', () => {
    const shares = createShares(10);
    expect(shares.take(['a'], 6)).toBe(false);
    expect(shares.held()).toBe(0);
    expect(shares.take(['a'], 5)).toBe(true);
  });

  it('have room again for what was given back', () => {
    const shares = createShares(10);
    takeAll(shares, 'a', 'b');
    shares.giveBack(['a', 'b'], shares.held(['a', 'b']));
    expect(shares.held(['a'])).toBe(0);
    expect(takeAll(shares, 'a')).toBe(5);
  });

  it('tell holders apart whatever their names are', () => {
    const shares = createShares(100);
    shares.take(['a', 'b'], 10);
    expect([shares.held(['a,b']), shares.held(['a']), shares.held(['b'])]).toEqual([0, 10, 0]);
  });
});
