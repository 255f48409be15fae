import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createConsents, redirectUriOf } from '../../../server/tagmanager/connection/consent.ts';
import { faults } from '../../../server/tagmanager/fault-words.ts';

const MINUTE = 60_000;
const GIVEN = {
  client: { id: 'a client', secret: null },
  redirectUri: 'http://127.0.0.1:8737/oauth/callback',
  who: 'Somebody',
};

function consentParts() {
  const clock = { time: Date.parse('2026-03-01T10:00:00Z'), now: () => clock.time };
  const oauth = { consentUrl: async ({ state }: { state: string }) => `https://id/?${state}` };
  return { clock, consents: createConsents({ clock, oauth }) };
}

describe('the address that is led back to', () => {
  it.each([
    ['0.0.0.0', 'http://127.0.0.1:8737/oauth/callback'],
    ['127.0.0.1', 'http://127.0.0.1:8737/oauth/callback'],
    ['::', 'http://127.0.0.1:8737/oauth/callback'],
    ['::1', 'http://[::1]:8737/oauth/callback'],
    ['192.168.1.20', 'http://127.0.0.1:8737/oauth/callback'],
    ['localhost', 'http://127.0.0.1:8737/oauth/callback'],
  ])('is on loopback when %s is listened on', (host, uri) => {
    expect(redirectUriOf({ host, port: 8737 })).toBe(uri);
  });

  it.each([
    ['localhost', '::1', 'http://[::1]:8737/oauth/callback'],
    ['localhost', '127.0.0.1', 'http://127.0.0.1:8737/oauth/callback'],
    ['::', '::', 'http://127.0.0.1:8737/oauth/callback'],
  ])('goes by what the name %s has come to: %s', (host, address, uri) => {
    expect(redirectUriOf({ host, address, port: 8737 })).toBe(uri);
  });
});

describe('an attempt', () => {
  it('is claimed by its state alone, whatever else is tried', async () => {
    const { consents } = consentParts();
    const { state } = await consents.begin('tenant', GIVEN);
    const near = fc
      .nat(state.length - 1)
      .chain((at) =>
        fc.constantFrom(
          state.slice(0, at),
          state.slice(0, at) + state.slice(at + 1),
          `${state.slice(0, at)}\0${state.slice(at)}`,
          state.toLowerCase() === state ? `${state}x` : state.toLowerCase(),
          `${state} `,
        ),
      );
    fc.assert(
      fc.property(fc.oneof(fc.string(), near), (other) => {
        fc.pre(other !== state);
        expect(consents.claim(other).kind).toBe('unknown');
      }),
    );
    expect(consents.claim(state).kind).toBe('attempt');
  });

  it('has a state and a verifier that nobody could guess, another each time', async () => {
    const { consents } = consentParts();
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, i) => consents.begin(`tenant ${i}`, GIVEN)),
    );
    for (const secret of ['state', 'verifier'] as const) {
      expect(new Set(all.map((one) => one[secret])).size).toBe(50);
      for (const one of all) expect(one[secret]).toMatch(/^[\w-]{43,128}$/);
    }
  });

  it('that is being answered does not lapse meanwhile', async () => {
    const { clock, consents } = consentParts();
    const attempt = await consents.begin('tenant', GIVEN);
    consents.claim(attempt.state);
    clock.time += 11 * MINUTE;
    expect(consents.isCurrent(attempt)).toBe(true);
    expect(consents.outcome('tenant')).toBeUndefined();
  });

  it('ends the one before, and what that comes to no longer counts', async () => {
    const { consents } = consentParts();
    const first = await consents.begin('tenant', GIVEN);
    consents.claim(first.state);
    const second = await consents.begin('tenant', GIVEN);
    expect(consents.isCurrent(first)).toBe(false);
    consents.finish(first, faults.denied());
    expect(consents.outcome('tenant')).toBeUndefined();
    expect(consents.claim(first.state).kind).toBe('ended');
    expect(consents.waiting('tenant')).toBe(second);
  });

  it('that was cancelled says so; where there was none, nothing is said', async () => {
    const { consents } = consentParts();
    consents.cancel('tenant');
    expect(consents.outcome('tenant')).toBeUndefined();
    const { state } = await consents.begin('tenant', GIVEN);
    consents.cancel('tenant');
    expect(consents.outcome('tenant')).toMatchObject({ code: 'cancelled' });
    expect(consents.claim(state).kind).toBe('ended');
    consents.forget('tenant');
    expect(consents.outcome('tenant')).toBeUndefined();
  });

  it('does not stay open for long when the clock is set back', async () => {
    const { clock, consents } = consentParts();
    await consents.begin('tenant', GIVEN);
    clock.time -= 1000;
    expect(consents.waiting('tenant')).toBeDefined();
    clock.time -= 24 * 60 * MINUTE;
    expect(consents.waiting('tenant')).toBeUndefined();
  });
});
