import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addressesOf,
  addressOf,
  furtherOf,
  isForWebsites,
  labelOf,
  noteOf,
  tagNoteOf,
} from '../../ui/src/lib/addresses.ts';
import { snippets } from '../../ui/src/pages/welcome/snippets.ts';
import { startAppliance } from '../helpers/appliance.ts';
import type { TestAppliance } from '../helpers/appliance.ts';
import { sharedDir } from '../helpers/temp-dir.ts';

/** Whoever sets a key by hand may put into it what ends strings and elements. */
const ODD_KEY = `it's"</script>\\$(x)&d=1`;

let vedette: TestAppliance;
beforeAll(async () => {
  vedette = await startAppliance({ apiKey: ODD_KEY, dataDir: sharedDir() });
});
afterAll(() => vedette.close());

/** The events that come in by what it sends. */
async function sendsBy(send: (text: (id: string) => string[]) => Promise<unknown>) {
  const events = async () =>
    (await vedette.get('/events', { 'x-api-key': ODD_KEY })).json<
      { source: string; event_type: string; data: object }[]
    >();
  const before = await events();
  const all = snippets({ address: vedette.url, key: ODD_KEY });
  await send((id) => all.find((one) => one.id === id)?.pieces.map(({ text }) => text) ?? []);
  const after = await events();
  return after.slice(0, after.length - before.length);
}

/** What a page or a tag manager gives to a script, and the addresses of images it asked for. */
function inPage(html: string): string[] {
  const asked: string[] = [];
  class Image {
    set src(url: string) {
      asked.push(url);
    }
  }
  const script = html.replace(/^<script>|<\/script>$/g, '');
  expect(script).not.toContain('</script');
  runInNewContext(script, { Image, location: { pathname: '/cart' } });
  return asked;
}

describe('the code to send events', () => {
  it('sends by curl', async () => {
    const found = await sendsBy(async (text) =>
      promisify(execFile)('sh', ['-c', text('curl')[0] ?? '']),
    );
    expect(found).toMatchObject([{ event_type: 'purchase', data: { value: 49.9 } }]);
  });

  it('sends from Node and from a page', async () => {
    const found = await sendsBy(async (text) => {
      const context = { fetch, console, location: { pathname: '/cart' } };
      await runInNewContext(`(async () => { ${text('node').join('')} })()`, context);
      await runInNewContext(text('browser').join(''), context);
    });
    expect(found.map((event) => event.event_type).sort()).toEqual(['page_view', 'purchase']);
  });

  it('sends by the pixel, with a script and without', async () => {
    const found = await sendsBy(async (text) => {
      const [script = '', image = ''] = text('pixel');
      const [, src = ''] = /src="([^"]*)"/.exec(image) ?? [];
      const urls = [...inPage(script), src.replaceAll('&amp;', '&')];
      for (const url of urls) expect((await fetch(url)).status).toBe(200);
    });
    expect(found.map(({ source, event_type }) => `${source} ${event_type}`).sort()).toEqual([
      'newsletter mail_open',
      'website page_view',
    ]);
  });
});

describe('the addresses to send to', () => {
  const about = { addresses: ['http://192.168.1.20:8737'], public_url: null };
  const here = 'http://127.0.0.1:8737';

  it('are each named by how far they reach, the public one first', () => {
    const all = addressesOf(here, { ...about, public_url: 'https://events.shop.example' });
    expect(all.map(labelOf)).toEqual([
      'https://events.shop.example (public)',
      'http://127.0.0.1:8737 (this machine)',
      'http://192.168.1.20:8737 (your network)',
    ]);
    expect(addressesOf('http://192.168.1.20:8737', about)).toHaveLength(1);
  });

  it('say what would make them reach further', () => {
    const says = (url: string, known: typeof about) => {
      const all = addressesOf(here, known);
      const chosen = all.find((one) => one.url === url);
      return chosen && `${noteOf(chosen)} ${furtherOf(chosen, all)?.words ?? ''}`;
    };
    expect(says(here, { ...about, addresses: [] })).toContain('--host 0.0.0.0');
    expect(says('http://192.168.1.20:8737', about)).toMatch(/permission.*reverse proxy/);
  });

  it('say who cannot rely on them, and why', () => {
    const says = (url: string) => noteOf(addressOf(url));
    expect(says('https://events.shop.example')).toContain('public websites too');
    expect(says('http://events.shop.example')).toMatch(/website on https cannot rely.*plain http/);
    expect(says('http://192.168.1.20:8737')).toMatch(/cannot rely.*permission.*plain http/);
    expect(says('https://vedette.local')).toMatch(/cannot rely.*permission\.$/);
    expect(says(here)).toContain('Only programs and pages on this machine');
  });

  it('are for websites when they are public and on https, and only then', () => {
    const fit = (url: string) => isForWebsites(addressOf(url));
    expect(fit('https://events.shop.example')).toBe(true);
    const unfit = ['http://192.168.1.20:8737', 'https://vedette.local'];
    for (const url of [here, 'http://events.shop.example', ...unfit])
      expect(fit(url), url).toBe(false);
  });

  it('have a warning for the tag manager when they are plain http', () => {
    expect(tagNoteOf(addressOf('http://192.168.1.20:8737'))).toContain('may refuse');
    expect(tagNoteOf(addressOf('https://192.168.1.20:8737'))).toBeUndefined();
  });

  it('lead to the public one only where that is on https', () => {
    const own = addressOf('http://192.168.1.20:8737');
    const words = (publicUrl: string) => {
      const publicOne = addressOf(publicUrl);
      return [own, publicOne].map((one) => furtherOf(one, [own, publicOne])?.words ?? '');
    };
    expect(words('https://events.shop.example')).toEqual([
      'For a public website choose the public address.',
      '',
    ]);
    const [forOwn, forPublic] = words('http://events.shop.example');
    expect(forOwn).toContain('reverse proxy');
    expect(forPublic).toContain('reverse proxy');
  });
});
