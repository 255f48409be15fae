import { describe, expect, it } from 'vitest';
import { originAllowed } from '../../server/tenants/domains.ts';
import { allowedDomain, newKey } from '../../server/tenants/schema.ts';

describe('a request from somewhere', () => {
  const shop = ['shop.example', '*.cdn.example', 'xn--mnchen-3ya.example'];

  it.each([
    ['https://shop.example'],
    ['http://shop.example:8080'],
    ['https://SHOP.example'],
    ['https://shop.example.'],
    ['https://a.cdn.example'],
    ['https://a.b.cdn.example'],
    ['https://münchen.example'],
  ])('is allowed from %s', (origin) => {
    expect(originAllowed(shop, origin, undefined)).toBe(true);
  });

  it.each([
    ['https://www.shop.example', 'www.shop.example'],
    ['https://cdn.example', 'cdn.example'],
    ['https://evilcdn.example', 'evilcdn.example'],
    ['https://shop.example.evil.test', 'shop.example.evil.test'],
    ['https://shop.example@evil.test', 'evil.test'],
    ['null', 'null'],
    ['', ''],
    ['chrome-extension://shop.example', 'chrome-extension://shop.example'],
  ])('is refused from %s, naming %s', (origin, named) => {
    expect(originAllowed(shop, origin, 'https://shop.example/page')).toBe(named);
  });

  it('is judged by its referer when it has no origin', () => {
    expect(originAllowed(shop, undefined, 'https://shop.example/page?q=1')).toBe(true);
    expect(originAllowed(shop, undefined, 'https://evil.test/shop.example')).toBe('evil.test');
  });

  it('comes from a server when it has neither, and passes', () => {
    expect(originAllowed(shop, undefined, undefined)).toBe(true);
  });

  it('passes from anywhere when no domain is listed', () => {
    expect(originAllowed([], 'https://evil.test', undefined)).toBe(true);
    expect(originAllowed([], 'null', undefined)).toBe(true);
  });
});

describe('an entry of the list', () => {
  it.each([
    ['shop.example', 'shop.example'],
    ['  Shop.Example ', 'shop.example'],
    ['*.Shop.example', '*.shop.example'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['*.münchen.example', '*.xn--mnchen-3ya.example'],
    ['localhost', 'localhost'],
    ['192.168.1.20', '192.168.1.20'],
    ['[::1]', '[::1]'],
  ])('%s is kept as %s', (text, kept) => {
    expect(allowedDomain.parse(text)).toBe(kept);
  });

  it.each([
    ['https://shop.example', 'write only shop.example'],
    ['https://shop.example/path?x', 'write only shop.example'],
    ['https://*.shop.example/', 'write only *.shop.example'],
    ['//shop.example', 'write only shop.example'],
    ['shop.example/path', 'has a path: write only shop.example'],
    ['shop.example:8080', 'has a port: write only shop.example'],
    ['*.shop.example:8080', 'has a port: write only *.shop.example'],
    ['*', 'leave the list empty'],
    ['shop.*', 'only at its very start'],
    ['*shop.example', 'only at its very start'],
    ['a.*.example', 'only at its very start'],
    ['', 'is not a domain'],
    ['*.', 'is not a domain'],
    ['shop example', 'is not a domain'],
    ['user@shop.example', 'is not a domain'],
    ['shop..example', 'is not a domain'],
    ['010.1', 'is not a domain'],
    ['a'.repeat(300), 'is not a domain'],
  ])('%s is refused: %s', (text, words) => {
    const judged = allowedDomain.safeParse(text);
    expect(judged.error?.issues[0]?.message).toContain(words);
  });

  it('is kept once, however often it is written', () => {
    const input = { name: 'a', scope: 'ingest', allowed_domains: ['a.example', 'A.example'] };
    expect(newKey.parse(input).allowed_domains).toEqual(['a.example']);
  });
});
