import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { HttpError, problems } from '../../server/platform/errors.ts';
import { visit } from '../helpers/browser.ts';
import { HOSTILE } from '../helpers/hostile.ts';
import { changeOf } from '../helpers/tag-manager-container.ts';
import { standIn } from '../helpers/tag-manager-stand-in.ts';
import type { Known } from '../helpers/tag-manager-stand-in.ts';
import { ago, connections, CONSENT, fault, verifications } from '../helpers/tag-manager-views.ts';
import { freshTenant } from '../helpers/tenant.ts';
import { answerConsent, hasRun, isFocused, opened, STATUS } from './tag-manager-parts.ts';

/** The page, of a tag manager that is not connected but for what is given. */
const open = (given: Partial<Known> = {}) =>
  opened(STATUS, {
    ...{ connection: connections.none, verification: verifications.notConnected, snapshot: null },
    ...given,
  });

const invalid = (path: string, message: string) => problems.invalid([{ path, message }]);

const SECRET = 'GOCSPX-a-secret';
const ID = '42-x.apps.googleusercontent.com';

describe('the client ID', () => {
  it('is asked for with a guide, whose links only lead outside', async () => {
    const { page } = await open();
    await page.getByRole('heading', { name: 'The tag manager is not connected.' }).waitFor();
    await page.getByText('can never publish', { exact: false }).first().waitFor();
    const outside = page.locator('main a[href^="https://"]');
    const links = await outside.evaluateAll((all) =>
      all.map((one) => [one.getAttribute('target'), one.getAttribute('rel')].join()),
    );
    expect(links.length).toBeGreaterThanOrEqual(5);
    expect(new Set(links)).toEqual(new Set(['_blank,noreferrer']));
    await page.getByRole('link', { name: 'Import the template by hand' }).click();
    await page.waitForURL('**/tag-manager/template');
  });

  it('is stored with its secret, which does not come back', async () => {
    const { page, known, bodiesOf } = await open();
    known.refusals['PUT /connection/client'] = invalid('client_id', 'must be without spaces');
    await page.getByLabel('Client ID', { exact: true }).fill('a b');
    await page.getByLabel('Client secret').fill(SECRET);
    await page.getByRole('button', { name: 'Save client ID' }).click();
    await page.getByText('must be without spaces').waitFor();
    expect(await page.getByLabel('Client ID', { exact: true }).getAttribute('aria-invalid')).toBe(
      'true',
    );

    known.refusals = {};
    await page.getByLabel('Client ID', { exact: true }).fill(` ${ID} `);
    await page.getByRole('button', { name: 'Save client ID' }).click();
    await page.getByRole('button', { name: 'Change the client ID' }).waitFor();
    expect(bodiesOf('PUT /connection/client').at(-1)).toEqual({
      client_id: ID,
      client_secret: SECRET,
    });
    expect(await page.content()).not.toContain(SECRET);

    await page.getByRole('button', { name: 'Change the client ID' }).click();
    await page.getByText('One is stored.').waitFor();
    expect(await page.getByLabel('Client secret').inputValue()).toBe('');
    await page.getByLabel('Remove the stored secret').check();
    await page.getByRole('button', { name: 'Save client ID' }).click();
    await expect
      .poll(() => bodiesOf('PUT /connection/client').at(-1))
      .toMatchObject({ client_secret: null });
  });

  it('is taken out of the file that Google offers, and one of another type is told', async () => {
    const { page, bodiesOf, deeds } = await open();
    const id = page.getByLabel('Client ID', { exact: true });
    await id.fill(JSON.stringify({ web: { client_id: ID } }));
    await page.getByText('Make one of the type Desktop app').waitFor();
    await page.getByRole('button', { name: 'Save client ID' }).click();
    expect(deeds()).toEqual([]);
    await id.fill(JSON.stringify({ installed: { client_id: ID, client_secret: SECRET } }));
    expect(await id.inputValue()).toBe(ID);
    await page.getByRole('button', { name: 'Save client ID' }).click();
    await expect
      .poll(() => bodiesOf('PUT /connection/client'))
      .toEqual([{ client_id: ID, client_secret: SECRET }]);
  });
});

describe('the consent', () => {
  it('is asked for in another tab, and the page goes on by itself once it is given', async () => {
    const { page, known } = await open({ connection: connections.ready });
    await answerConsent(page);
    const [consent] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Connect', exact: true }).first().click(),
    ]);
    await consent.getByRole('heading', { name: 'Consent' }).waitFor();
    expect(consent.url()).toBe(CONSENT);
    expect(await consent.evaluate(() => window.opener === null && document.referrer === '')).toBe(
      true,
    );
    await page.getByRole('heading', { name: 'Waiting for your consent at Google.' }).waitFor();
    const again = page.getByRole('link', { name: 'Open the consent screen again' });
    expect(await again.getAttribute('href')).toBe(CONSENT);
    await page.getByRole('button', { name: 'Copy its address' }).waitFor();

    known.connection = connections.choosing;
    await page.getByRole('heading', { name: 'Choose the container that is to send' }).waitFor();
  });

  it('is taken back by cancelling, and said to be when it was denied', async () => {
    const { page, known, deeds } = await open({ connection: connections.waiting });
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Change the client ID' }).waitFor();
    expect(deeds()).toEqual(['DELETE /connection/consent']);
    known.connection = {
      ...connections.ready,
      problem: fault('denied', 'You did not agree at Google.', 'Connect again, and agree.'),
    };
    await page.reload();
    const told = page.getByRole('alert').filter({ hasText: 'You did not agree at Google.' });
    await told.getByRole('button', { name: 'Connect' }).waitFor();
  });

  it('can be opened by a link where the browser holds new tabs back', async () => {
    const { page } = await open({ connection: connections.ready });
    await page.evaluate(() => (window.open = () => null));
    await page.getByRole('button', { name: 'Connect', exact: true }).first().click();
    await page.getByText('Your browser did not let the consent screen open by itself').waitFor();
    const link = page.getByRole('link', { name: 'Open the consent screen' });
    expect(await link.getAttribute('href')).toBe(CONSENT);
  });

  it('closes the empty tab again where it cannot begin, and says why', async () => {
    const { page, known } = await open({ connection: connections.ready });
    const detail = 'Another window is connecting';
    known.refusals['POST /connection/consent'] = problems.conflict(detail);
    const [consent] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Connect', exact: true }).first().click(),
    ]);
    await page.getByText(detail).waitFor();
    await expect.poll(() => consent.isClosed()).toBe(true);
  });

  it('is answered by hand where the last page does not load, with faults at the field', async () => {
    const { page, known, bodiesOf } = await open({ connection: connections.waiting });
    await page.getByText('The last page does not load?').click();
    const field = page.getByLabel('Address of the last page');
    const address = 'http://127.0.0.1:4000/oauth/callback?state=abc&code=xyz';
    known.refusals['POST /connection/answer'] = invalid('address', 'is of another attempt');
    await field.fill(address);
    await page.getByRole('button', { name: 'Go on with this address' }).click();
    await page.getByText('is of another attempt').waitFor();
    known.refusals = {};
    await page.getByRole('button', { name: 'Go on with this address' }).click();
    await page.getByRole('heading', { name: 'Choose the container that is to send' }).waitFor();
    expect(bodiesOf('POST /connection/answer').at(-1)).toEqual({ address });
  });

  it('explains to who looks from another machine that the last page will not load', async () => {
    const tenant = await freshTenant();
    await standIn(tenant, { connection: connections.waiting });
    const url = 'http://vedette.example';
    // As a name of the LAN leads to the machine, for which no test can rely on a resolver.
    const arrange = (page: Page) =>
      page.route(`${url}/**`, async (route) => {
        const request = route.request();
        // Left in, the page's own address would be a sign of a proxy.
        const kept = Object.entries(request.headers()).filter(
          ([name]) => name !== 'referer' && name !== 'origin',
        );
        const headers = { ...Object.fromEntries(kept), cookie: tenant.owner.cookie };
        const here = request.url().replace(url, tenant.url);
        await route.fulfill({ response: await route.fetch({ url: here, headers }) });
      });
    await using there = await visit({ url }, STATUS, { arrange });
    await there.page.getByText('The last page will not load, and that is expected.').waitFor();
    await there.page.getByLabel('Address of the last page').waitFor();
    expect(await there.page.getByText('The last page does not load?').count()).toBe(0);
  });
});

const ACCOUNTS = [{ account_id: '600', name: 'Shop Ltd' }];
const CONTAINERS = Array.from({ length: 130 }, (_, i) => ({
  ...{ account_id: '600', container_id: `${700 + i}`, public_id: `GTM-S${i}` },
  name: i === 1 ? HOSTILE : `shop-${i}.example`,
  usage_context: i === 77 ? ['server'] : ['web'],
}));
const workspaceOf = (container: string, id: string, name: string) => ({
  ...{ account_id: '600', container_id: container, workspace_id: id, name, description: null },
});
const LISTS = {
  accounts: ACCOUNTS,
  containers: CONTAINERS,
  workspaces: [
    workspaceOf('777', '12', 'Default Workspace'),
    workspaceOf('829', '20', 'Default Workspace'),
    workspaceOf('829', '21', HOSTILE),
  ],
};

describe('choosing the container', () => {
  it('goes by search and keys, with what there is only one of chosen by itself', async () => {
    const { page, asked, bodiesOf, known } = await open({
      connection: connections.choosing,
      ...LISTS,
    });
    await page.getByText('Shop Ltd').waitFor();
    const search = page.getByRole('combobox', { name: 'Search for a container' });
    await page.getByRole('option', { name: HOSTILE }).waitFor();
    expect(await page.getByRole('option').count()).toBe(50);
    await page.getByRole('button', { name: 'More' }).click();
    await expect.poll(() => page.getByRole('option').count()).toBe(100);
    expect(await hasRun(page)).toBe(false);

    await search.fill('shop-77');
    await expect.poll(() => page.getByRole('option').count()).toBe(1);
    await page.getByText('for server, not for websites').waitFor();
    expect(asked.at(-1)?.query).toMatchObject({ account_id: '600', search: 'shop-77', skip: '0' });
    await search.fill('nothing like it');
    await page.getByText('No container here has “nothing like it” in its name or ID.').waitFor();

    await search.fill('GTM-S12');
    await expect.poll(() => page.getByRole('option').count()).toBe(11);
    await search.press('ArrowDown');
    await search.press('ArrowDown');
    await search.press('ArrowUp');
    await search.press('Enter');
    await page.getByText('shop-120.example').waitFor();
    await page.getByText('This container has no workspace that you may see.').waitFor();
    expect(await page.getByRole('button', { name: 'Use GTM-S120' }).isDisabled()).toBe(true);

    await page.getByRole('button', { name: 'Change the Container' }).click();
    await search.fill('shop-77');
    await expect.poll(() => page.getByRole('option').count()).toBe(1);
    await search.press('Enter');
    await page.getByText('this container cannot take it').waitFor();
    await page.getByText('Default Workspace').waitFor();
    await page.getByRole('button', { name: 'Use GTM-S77' }).click();
    await page.getByText('18 of about 30 requests').waitFor();
    const selected = { account_id: '600', container_id: '777', workspace_id: '12' };
    expect(bodiesOf('PUT /selection')).toEqual([selected]);

    known.connection = connections.chosen;
    await page.getByRole('button', { name: 'Check status' }).waitFor();
  });

  it('begins in the account of the one before, and says what will be withdrawn', async () => {
    const change = changeOf();
    const { page, known } = await open({
      ...{ connection: connections.chosen, ...LISTS, changes: [change, changeOf()] },
    });
    await page.getByRole('link', { name: 'Changes (2 waiting)' }).waitFor();
    await page.getByRole('button', { name: 'Change container' }).click();
    const search = page.getByRole('combobox', { name: 'Search for a container' });
    await expect.poll(() => search.evaluate(isFocused)).toBe(true);
    await page.keyboard.type('shop-129');
    await expect.poll(() => page.getByRole('option').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: HOSTILE }).click();
    await page.getByText('2 changes that still wait belong to GTM-SHOP123').waitFor();
    const use = page.getByRole('button', { name: 'Use GTM-S129' });
    await expect.poll(() => use.evaluate(isFocused)).toBe(true);
    const detail = 'Changes are being written. Wait until that has ended.';
    known.refusals['PUT /selection'] = problems.conflict(detail);
    await page.keyboard.press('Enter');
    await page.getByText(detail).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Change container' }).waitFor();
  });

  it('says for what it waits when an answer takes long', async () => {
    const quota = { used_today: 25, per_day: 10_000, waiting_seconds: 85 };
    const gate = { list: Promise.withResolvers(), choice: Promise.withResolvers() };
    const { page, known } = await open({
      ...{ connection: { ...connections.choosing, quota }, ...LISTS },
      holds: { 'GET /containers': gate.list.promise, 'PUT /selection': gate.choice.promise },
    });
    const told = page.getByRole('status').filter({ hasText: 'requests that Google allows' });
    await told.waitFor();
    await page.getByText('The next one follows in 1 min 25 s.').waitFor();
    known.connection = connections.choosing;
    const silent = page.getByRole('status').filter({ hasText: 'has not answered yet' });
    await silent.waitFor();
    expect(await page.getByText('The next one follows').count()).toBe(0);

    gate.list.resolve(undefined);
    await page.getByRole('option').first().waitFor();
    expect(await silent.count()).toBe(0);

    await page.getByRole('combobox', { name: 'Search for a container' }).fill('shop-77');
    await expect.poll(() => page.getByRole('option').count()).toBe(1);
    await page.getByRole('option').click();
    await page.getByRole('button', { name: 'Use GTM-S77' }).click();
    await silent.waitFor();
    gate.choice.resolve(undefined);
    await page.getByText('18 of about 30 requests').waitFor();
  });

  it('says what an empty or failing list means, and reads it again', async () => {
    const { page, known, asked } = await open({ connection: connections.choosing });
    await page.getByText('This Google account sees no tag-manager account.').waitFor();
    known.accounts = [...ACCOUNTS, { account_id: '601', name: 'Other Ltd' }];
    known.refusals['GET /containers'] = new HttpError(503, 'Google is away');
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByRole('option', { name: 'Other Ltd' }).waitFor();
    expect(asked.some(({ query }) => query['refresh'] === 'true')).toBe(true);
    await page.getByRole('option', { name: 'Shop Ltd' }).click();
    await page.getByText('Google is away').waitFor();
    // The appliance has tried again by itself, for longer than anybody wants to wait twice.
    expect(asked.filter(({ path }) => path === '/containers')).toHaveLength(1);
    known.refusals = {};
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('There is no container in this account that you may see.').waitFor();
  });
});

describe('disconnecting', () => {
  it('asks first, and says what is left to do where Google could not be reached', async () => {
    const { page, deeds } = await open({
      connection: { ...connections.chosen, connected_at: ago(600) },
      disconnected: { revoked: false, detail: 'Google could not be reached: remove it there.' },
    });
    await page.getByRole('button', { name: 'Disconnect' }).click();
    const ask = page.getByRole('alertdialog');
    await ask.getByText('what Vedette keeps of GTM-SHOP123 is deleted').waitFor();
    await ask.getByRole('button', { name: 'Cancel' }).click();
    expect(deeds()).toEqual([]);
    await ask.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await ask.getByRole('button', { name: 'Disconnect' }).click();
    const told = page.getByRole('status').filter({ hasText: 'Google could not be reached' });
    const link = told.getByRole('link', { name: 'Access that Google still grants' });
    expect(await link.getAttribute('href')).toBe('https://myaccount.google.com/connections');
    await page.getByRole('button', { name: 'Change the client ID' }).waitFor();
  });
});
