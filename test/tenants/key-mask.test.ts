import { describe, expect, it } from 'vitest';
import { createKeyMask } from '../../server/tenants/key-mask.ts';
import { keyRecord } from '../../server/tenants/keys.ts';
import { identityParts } from '../helpers/identity-parts.ts';

const SECRET = /vdt_[\w-]{43}/;

/** An appliance with a key of one's own, and one that Vedette has made. */
async function masking(apiKey: string) {
  const parts = await identityParts({ apiKey });
  const input = { name: 'Shop', scope: 'ingest' as const, allowed_domains: [] };
  const tenantId = parts.tenants.first().id;
  const { secret } = await parts.keys.issue(tenantId, input, parts.clock.now());
  const maskNow = createKeyMask(parts);
  return { ...parts, input, secret, maskNow, mask: maskNow() };
}

describe('a key in a text', () => {
  it('is shown by its end alone, wherever it stands', async () => {
    const { secret, mask } = await masking('by-hand-0123456789');
    expect(secret).toMatch(SECRET);
    const end = `••••${secret.slice(-4)}`;
    expect(mask(secret)).toBe(end);
    expect(mask(`fetch("/collect?k=${secret}&d=1"); // ${secret}`)).toBe(
      `fetch("/collect?k=${end}&d=1"); // ${end}`,
    );
    expect(mask(JSON.stringify({ value: `"${secret}"` }))).not.toContain(secret.slice(0, -4));
    expect(mask('see k=by-hand-0123456789, twice: by-hand-0123456789')).toBe(
      'see k=••••6789, twice: ••••6789',
    );
  });

  it('is found in every spelling that it may have there', async () => {
    const own = String.raw`a/b+c="d"&<e>\f'(g)~$&`;
    const { mask } = await masking(own);
    const html = own.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
    for (const spelling of [
      own,
      encodeURIComponent(own),
      encodeURIComponent(own).toLowerCase(),
      new URLSearchParams({ k: own }).toString().slice(2),
      JSON.stringify(own).slice(1, -1),
      JSON.stringify(JSON.stringify(own)).slice(3, -3),
      html,
      own.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
      own.replaceAll('<', String.raw`\u003c`),
      encodeURIComponent(encodeURIComponent(own)),
      own.replace(/\W/g, (sign) => String.raw`\x${sign.charCodeAt(0).toString(16)}`),
    ]) {
      expect(mask(`k=${spelling}.`), spelling).toBe('k=••••)~$&.');
    }
  });

  it('is found in every spelling when it is one that Vedette has made', async () => {
    const { tenants, cipher, clock, input, maskNow } = await masking('by-hand-0123456789');
    const made = `vdt_${'Ab_1-2c'.repeat(6)}Z`;
    expect(made).toMatch(SECRET);
    const { id } = tenants.first();
    await tenants.addKey(keyRecord(id, input, made, cipher, clock.now()));
    const mask = maskNow();
    for (const [minus, line] of [
      ['%2D', '_'],
      ['-', '%5F'],
      [String.raw`\x2d`, String.raw`\x5f`],
      [String.raw`\\u002D`, '&#95;'],
    ] as const) {
      const spelling = made.replaceAll('-', minus).replaceAll('_', line);
      expect(mask(`k=${spelling}.`), spelling).toBe('k=••••-2cZ.');
    }
  });

  it('leaves nothing of itself where another key is how it begins', async () => {
    const { tenants, cipher, clock, input, maskNow } = await masking('by-hand-0123456789');
    const longer = 'by-hand-0123456789-and-more';
    const { id } = tenants.first();
    await tenants.addKey(keyRecord(id, input, longer, cipher, clock.now()));
    expect(maskNow()(`${longer} by-hand-0123456789`)).toBe('••••more ••••6789');
  });

  it.each(['/'.repeat(17), '\\'.repeat(17), `${'\\'.repeat(16)}"`, '\\"'.repeat(9)])(
    'is looked for among any number of backslashes: %s',
    async (key) => {
      const { mask } = await masking(key);
      const slashes = '\\'.repeat(8);
      const text = [`${slashes}"`, `${slashes}u0022`, slashes, '/']
        .map((part) => part.repeat(8))
        .join(' ');
      expect(mask(`${'\\'.repeat(100_000)} ${text} ${key}`)).toMatch(/ ••••.{4}$/);
    },
  );

  it('is found when it is of another tenant, and was made a moment ago', async () => {
    const { tenants, clock, cipher, input, maskNow, mask } = await masking('by-hand-0123456789');
    const days = { retention_days: 90, rollup_retention_days: 400, max_names: 2000 };
    const other = await tenants.create({ name: 'Other', ...days }, clock.now());
    const theirs = 'of-the-other-tenant';
    await tenants.addKey(keyRecord(other.id, input, theirs, cipher, clock.now()));
    expect(mask(theirs)).toBe(theirs);
    expect(maskNow()(theirs)).toBe('••••nant');
  });

  it('is known by its shape when it is of elsewhere, or cannot be decrypted now', async () => {
    const { tenants, secret } = await masking('by-hand-0123456789');
    const unreadable = {
      secret: () => {
        throw new Error('The keyring is locked');
      },
    };
    const mask = createKeyMask({ tenants, keys: unreadable })();
    expect(mask(`k=${secret}`)).toBe(`k=••••${secret.slice(-4)}`);
    // What a cut has left of one is masked as long as the rest of it could be guessed.
    expect(mask(secret.slice(0, 40))).toBe(`••••${secret.slice(36, 40)}`);
  });

  it('is all that is taken out', async () => {
    const { mask } = await masking('by-hand-0123456789');
    const text = 'vdt_product_click, vdt_, by-hand-012345678, {{Page URL}}\n${1} $& \\u0041 %2F';
    expect(mask(text)).toBe(text);
  });
});
