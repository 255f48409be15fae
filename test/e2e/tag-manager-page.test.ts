import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { barriers } from '../helpers/axe.ts';
import { dashboard, ownDashboard } from '../helpers/browser.ts';
import { HOSTILE } from '../helpers/hostile.ts';
import type { TestTenant } from '../helpers/tenant.ts';

const PUBLIC = 'https://events.shop.example';
const PATH = '/tag-manager/template';

/** The page, of a tenant that nothing came from yet. */
const tagManager = (arrange: (page: Page) => Promise<unknown> = async () => undefined) =>
  dashboard(PATH, { reducedMotion: 'reduce', arrange });

/** The page, of an appliance that others reach under this address. */
const reachedAt = (publicUrl: string) =>
  ownDashboard(PATH, { publicUrl }, { reducedMotion: 'reduce' });

const keysOf = async ({ owner }: TestTenant) =>
  (await owner.ask('GET', '/keys')).json<{ id: string; name: string; last_four: string }[]>();

/** An answer that is not the appliance's, and that the page does not try again by itself. */
const refuse = (page: Page, path: string, status: number, detail: string) =>
  page.route(path, (route) => route.fulfill({ status, json: { detail } }));

const button = (page: Page) => page.getByRole('button', { name: 'Download template' });
const shownKey = (page: Page) => page.getByLabel('API key', { exact: true }).textContent();

async function download(page: Page): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), button(page).click()]);
  expect(file.suggestedFilename()).toBe('vedette.tpl');
  return readFile(await file.path(), 'utf8');
}

/** What is read out when it changes. */
const LIVE = '[aria-live], [role=status], [role=alert]';

/** What the tag manager calls the permissions of a template. */
const PERMISSIONS: Record<string, string> = {
  access_globals: 'Accesses global variables',
  get_url: 'Reads URL',
  logging: 'Logs to console',
  read_container_data: 'Reads container data',
  read_data_layer: 'Reads data layer',
  send_pixel: 'Sends pixels',
};

/** How the page calls what the template reads of the data layer. */
const DATA_LAYER: Record<string, string> = {
  ecommerce: 'e-commerce fields',
  event: 'event’s name',
  eventModel: 'parameters of events sent by gtag()',
  'gtm.uniqueEventId': 'number on the page',
};

/** As the tag sends it. */
const pixel = (type: string) =>
  encodeURIComponent(
    JSON.stringify({ source: 'gtm', source_id: 'GTM-1', events: [{ type, data: {} }] }),
  );

describe('the page of the tag manager', () => {
  it('hands out the template for the address that is chosen, and says who reaches that', async () => {
    await using window = await reachedAt(PUBLIC);
    const { page, appliance } = window;
    await page.getByText('Everyone on the internet reaches it, public websites too.').waitFor();
    expect(await download(page)).toContain(`'${PUBLIC}/api/v1/events/collect'`);
    expect(await page.getByText(/cannot rely on it|plain.http/).count()).toBe(0);

    await page.getByLabel('Send to').selectOption(appliance.url);
    await page.getByText('Only programs and pages on this machine reach it').waitFor();
    await page.getByText('For a public website choose the public address.').waitFor();
    const file = await download(page);
    expect(file).toContain(`'${appliance.url}/api/v1/events/collect'`);
    expect(file).not.toContain(PUBLIC);
    expect(window.faults).toEqual([]);
  });

  it('warns once of an address on plain http, which neither https nor the tag manager takes surely', async () => {
    await using window = await reachedAt('http://events.shop.example');
    const { page } = window;
    const warning = page.getByText(/website on https cannot rely on it.*tag manager may refuse/);
    await warning.getByRole('link', { name: 'Settings, Network' }).waitFor();
    await page.getByText('Nothing from the tag manager yet').waitFor();
    expect(await page.getByText(/plain.http/).count()).toBe(1);
    expect(await barriers(page)).toEqual([]);
  });

  it('explains the very template that it hands out: its permissions and its events', async () => {
    await using window = await tagManager();
    const { page } = window;
    const file = await download(page);
    const asked = Array.from(file.matchAll(/"publicId": "(\w+)"/g), ([, id = '']) => id);
    expect(asked.toSorted()).toEqual(Object.keys(PERMISSIONS));
    for (const name of Object.values(PERMISSIONS)) await page.getByText(name).waitFor();
    const sends = /"string": "(http[^"]*)"/.exec(file)?.[1] ?? '';
    await page.locator('code', { hasText: sends }).waitFor();
    expect(await page.getByText(sends, { exact: true }).count()).toBe(1);
    const [, keys = ''] = /"keyPatterns",(.*?)\]/s.exec(file) ?? [];
    const read = Array.from(keys.matchAll(/"string": "([^"]*)"/g), ([, key = '']) => key);
    expect(read.toSorted()).toEqual(Object.keys(DATA_LAYER));
    const told = await page
      .locator('dt', { hasText: 'Reads data layer' })
      .evaluate((term) => term.nextElementSibling?.textContent ?? '');
    for (const words of Object.values(DATA_LAYER))
      expect(told.replace(/\s+/g, ' ')).toContain(words);

    const [, events = ''] = /ECOMMERCE_EVENTS = \[([^\]]*)\]/.exec(file) ?? [];
    const names = Array.from(events.matchAll(/'(\w+)'/g), ([, name = '']) => name);
    const said = (await page.getByText('E-commerce Events Only:').textContent()) ?? '';
    expect(said.match(/[a-z]+(_[a-z]+)+|purchase|refund/g)?.toSorted()).toEqual(names.toSorted());
  });

  it('makes a key that may only send, once, and shows the same one again', async () => {
    await using window = await tagManager();
    const { page, appliance, faults } = window;
    await page.getByText('Vedette makes one with the first download').waitFor();
    expect(await barriers(page)).toEqual([]);
    const before = await keysOf(appliance);
    await download(page);
    const secret = (await shownKey(page)) ?? '';
    expect(secret).toMatch(/^vdt_/);
    await page.getByRole('status').getByText('The key is shown.').waitFor();
    expect((await page.locator(LIVE).allTextContents()).join()).not.toContain(secret);
    const made = (await keysOf(appliance)).filter(({ id }) => !before.some((key) => key.id === id));
    expect(made).toMatchObject([{ scope: 'ingest', last_four: secret.slice(-4) }]);
    expect(await barriers(page)).toEqual([]);

    expect((await appliance.pixel(pixel('purchase'), secret)).statusCode).toBe(200);
    await page.getByText('1 event came from the tag manager').waitFor();
    expect((await appliance.get('/events', { 'x-api-key': secret })).statusCode).toBe(403);

    await page.reload();
    await expect.poll(() => shownKey(page)).toBe(secret);
    await download(page);
    expect(await keysOf(appliance)).toHaveLength(before.length + 1);
    expect(faults).toEqual([]);
  });

  it('says why the template is not handed out, and hands it out when asked again', async () => {
    await using window = await tagManager();
    const { page, appliance } = window;
    const path = '**/tag-manager/template.tpl*';
    const detail = 'The disk is full: nothing can be saved';
    await refuse(page, path, 503, detail);
    await button(page).click();
    await page.getByText(`The template was not downloaded: ${detail}`).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.unroute(path);
    expect(await download(page)).toContain(appliance.url);
    await expect.poll(() => page.getByText(detail).count()).toBe(0);
  });

  it('says that it cannot be loaded, and tries again', async () => {
    const path = `**/api/v1${PATH}`;
    const detail = 'The store is being mended';
    await using window = await tagManager((page) => refuse(page, path, 400, detail));
    const { page } = window;
    await page.getByText(detail).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.unroute(path);
    await page.getByRole('button', { name: 'Try again' }).click();
    await button(page).waitFor();
  });
});

describe('the key of the tag', () => {
  it('is the new one after it was rotated, with how long the old one works', async () => {
    await using window = await tagManager();
    const { page, appliance } = window;
    await download(page);
    const old = (await shownKey(page)) ?? '';
    const key = (await keysOf(appliance)).find(({ last_four }) => old.endsWith(last_four));
    await appliance.owner.ask('POST', `/keys/${key?.id}/rotate`, { overlap_minutes: 60 });
    await page.reload();
    await page.getByText(`the key that ends in ${old.slice(-4)}, which still works`).waitFor();
    await expect.poll(() => shownKey(page)).not.toBe(old);
    expect((await appliance.pixel(pixel('a'), (await shownKey(page)) ?? '')).statusCode).toBe(200);
  });

  it('is made anew by a download after it was revoked', async () => {
    await using window = await tagManager();
    const { page, appliance } = window;
    await download(page);
    const old = (await shownKey(page)) ?? '';
    const key = (await keysOf(appliance)).find(({ last_four }) => old.endsWith(last_four));
    await appliance.owner.ask('DELETE', `/keys/${key?.id}`);
    await page.reload();
    await page.getByText('Where an earlier one was revoked').waitFor();
    await download(page);
    await expect.poll(() => shownKey(page)).toMatch(/^vdt_/);
    expect(await shownKey(page)).not.toBe(old);
  });

  it('says what to do when it can no longer be read', async () => {
    await using window = await tagManager();
    const { page } = window;
    await refuse(page, '**/keys/*/secret', 409, 'It can no longer be shown: rotate the key');
    await download(page);
    const words = page.getByRole('alert').filter({ hasText: 'rotate the key' });
    await words.waitFor();
    expect(await page.locator(LIVE).filter({ hasText: 'rotate the key' }).count()).toBe(1);
    await words.getByRole('link', { name: 'Settings, API keys' }).click();
    await page.waitForURL('**/settings/keys');
  });
});

describe('what has come from the tag manager', () => {
  it('is nothing at first, with what to look at; then events, with strangers’ text as text', async () => {
    await using window = await tagManager();
    const { page, appliance, faults } = window;
    await appliance.post([{ source: 'backend', event_type: 'purchase', data: {} }]);
    await page.getByText('Nothing from the tag manager yet').waitFor();
    await page.getByText('Published?').waitFor();

    for (const type of ['purchase', HOSTILE, HOSTILE]) await appliance.pixel(pixel(type));
    await download(page);
    const key = (await keysOf(appliance)).find(({ name }) => name === 'Tag manager');
    await appliance.owner.ask('PATCH', `/keys/${key?.id}`, { name: HOSTILE.slice(0, 90) });
    await page.getByText('3 events came from the tag manager').waitFor();
    await page.reload();
    await page.getByText('it is called').getByText(HOSTILE.slice(0, 90)).waitFor();
    await page.getByRole('link', { name: HOSTILE, exact: true }).waitFor();
    expect(await page.evaluate(() => 'broken' in globalThis)).toBe(false);
    expect(await barriers(page)).toEqual([]);

    await page.getByRole('link', { name: 'See them live' }).click();
    await page.waitForURL('**/events?source=gtm');
    expect(faults).toEqual([]);
  });

  it('says when it cannot be counted', async () => {
    const detail = 'Too much to count';
    await using window = await tagManager((page) => refuse(page, '**/events/counts*', 400, detail));
    await window.page.getByText(detail).waitFor();
    await button(window.page).waitFor();
  });
});
