import { describe, expect, it } from 'vitest';
import type { FaultCode } from '../../server/tagmanager/connection/schema.ts';
import { HttpError } from '../../server/platform/errors.ts';
import { barriersInBoth } from '../helpers/axe.ts';
import { HOSTILE } from '../helpers/hostile.ts';
import { changeOf } from '../helpers/tag-manager-container.ts';
import type { Known } from '../helpers/tag-manager-stand-in.ts';
import {
  ago,
  chosen,
  connections,
  fault,
  job,
  verificationOf,
  verifications,
} from '../helpers/tag-manager-views.ts';
import { answerConsent, excess, hasRun, isFocused, opened, STATUS } from './tag-manager-parts.ts';

const open = (given: Partial<Known> = {}) => opened(STATUS, given);

const WORKSPACE =
  'https://tagmanager.google.com/#/container/accounts/600/containers/700/workspaces/12';

describe('the status of the tag manager', () => {
  it('is one sentence, then what shows it, then the connection', async () => {
    const { page } = await open();
    await page
      .getByRole('heading', { name: 'GTM-SHOP123 sends to Vedette, and all three' })
      .waitFor();
    expect(await page.getByRole('img', { name: 'Holds', exact: true }).count()).toBe(3);
    await page.getByText('Live, version 12: tag “Vedette” fires on All events').waitFor();
    await page.getByText('Live is version 12 “Autumn”.').waitFor();
    const variables = page.getByRole('link', { name: '1,260' });
    expect(await variables.getAttribute('href')).toBe('/tag-manager/container?list=variable');
    const outside = page.getByRole('link', { name: 'Open it in the tag manager' });
    expect(await outside.getAttribute('href')).toBe(WORKSPACE);
    await page.getByText('It cannot publish').waitFor();
    await page.getByText('212 in the last 24 hours, of 10,000').waitFor();
  });

  it('shows strangers’ names as text', async () => {
    const { page } = await open({
      connection: {
        ...connections.chosen,
        chosen: { ...chosen, container_name: HOSTILE, workspace_name: HOSTILE },
        problem: fault('no_permission', HOSTILE, HOSTILE),
      },
      verification: verificationOf({ tag: { title: HOSTILE, evidence: [HOSTILE] } }),
    });
    await expect.poll(() => page.getByText(HOSTILE).count()).toBeGreaterThanOrEqual(5);
    expect(await hasRun(page)).toBe(false);
  });

  it('is checked anew by reading the container, with what that waits for, and can be stopped', async () => {
    const { page, known, deeds, asked } = await open({
      verification: verificationOf({ template: {}, tag: {} }),
    });
    const check = page.getByRole('button', { name: 'Check status' });
    await check.waitFor();
    const reads = () =>
      asked.filter((one) => `${one.method} ${one.path}` === 'GET /snapshot').length;
    const box = await page.getByText('Vedette’s template is not in').boundingBox();
    await check.click();
    await page.getByText('18 of about 30 requests · waits 40 s for the quota').waitFor();
    await page.getByText('about 1 min 35 s left').waitFor();
    await page.getByRole('progressbar', { name: 'Reading the container' }).waitFor();
    expect(await page.getByText('Vedette’s template is not in').boundingBox()).toEqual(box);

    known.connection = {
      ...known.connection,
      job: job({ step: 'Reading what is live', requests: 27, waiting_seconds: 0 }),
    };
    await page.getByText('Reading what is live').waitFor();
    known.connection = { ...known.connection, job: null };
    known.verification = verifications.complete;
    // At once, long before it would be read again by itself.
    await expect.poll(reads).toBeGreaterThan(1);
    await page.getByRole('heading', { name: 'GTM-SHOP123 sends to Vedette' }).waitFor();

    await check.click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await check.waitFor();
    expect(deeds()).toEqual(['POST /snapshot', 'POST /snapshot', 'DELETE /snapshot/job']);
  });

  it('says that it is read for the first time', async () => {
    const connection = { ...connections.chosen, job: job({ expected: null, left_seconds: null }) };
    const unread = { title: 'The container was not read yet', evidence: [], next: 'Wait for it.' };
    const unknown = { ...unread, action: 'snapshot' as const };
    const { page } = await open({
      ...{ connection, snapshot: null },
      verification: verificationOf({ template: unknown, tag: unknown, events: {} }, null),
    });
    await page.getByRole('heading', { name: 'GTM-SHOP123 is being read for the first' }).waitFor();
    await page.getByText('18 requests · waits 40 s').waitFor();
    expect(await page.getByRole('img', { name: 'Not known yet' }).count()).toBe(2);
    expect(await page.getByRole('button', { name: 'Read the container' }).count()).toBe(1);
    await page.getByText('Once it is read, the numbers').waitFor();
  });

  it('keeps what it shows while it cannot be read, and tries again where nothing is shown yet', async () => {
    const { page, known, asked } = await open();
    const sentence = page.getByRole('heading', { name: 'GTM-SHOP123 sends to Vedette' });
    await sentence.waitFor();
    // One that the page does not try again by itself.
    const refusal = new HttpError(400, 'The store is being mended');
    const all = ['GET /connection', 'GET /verification', 'GET /snapshot'];
    known.refusals = Object.fromEntries(all.map((path) => [path, refusal]));
    await page.getByRole('button', { name: 'Check status' }).click();
    await expect.poll(() => asked.filter(({ path }) => path === '/connection').length).toBe(2);
    expect(await sentence.isVisible()).toBe(true);

    await page.reload();
    await page.getByText('The store is being mended').first().waitFor();
    known.refusals = { 'GET /verification': refusal, 'GET /snapshot': refusal };
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByRole('heading', { name: 'GTM-SHOP123 is connected.' }).waitFor();
    await expect.poll(() => page.getByText('The store is being mended').count()).toBe(2);
    known.refusals = {};
    const again = page.getByRole('button', { name: 'Try again' });
    await again.last().click();
    await again.first().click();
    await sentence.waitFor();
  });
});

describe('the next step of a check', () => {
  it('proposes to install, once for both, and leads to what was proposed', async () => {
    const { page, known, deeds } = await open({
      verification: verificationOf({ template: {}, tag: {} }),
    });
    await page.getByRole('heading', { name: 'GTM-SHOP123 has neither a template nor' }).waitFor();
    await page.getByText('It will send to').waitFor();
    const propose = page.getByRole('button', { name: 'Propose it' });
    expect(await propose.count()).toBe(1);
    await propose.click();
    await page.getByText('Everything is there already').waitFor();
    known.proposed = [changeOf()];
    await propose.click();
    await page.waitForURL('**/tag-manager/changes');
    expect(deeds()).toEqual(['POST /changes/install', 'POST /changes/install']);
  });

  it('publishes in the tag manager, and nowhere else', async () => {
    const draft = {
      holds: true,
      title: 'The tag is only in the draft',
      action: 'publish' as const,
    };
    const { page } = await open({ verification: verificationOf({ tag: draft, events: {} }) });
    await page.getByRole('heading', { name: 'The tag in GTM-SHOP123 waits to be publ' }).waitFor();
    const link = page.getByRole('link', { name: 'Publish in the tag manager' });
    expect(await link.getAttribute('href')).toBe(WORKSPACE);
    expect(await link.getAttribute('target')).toBe('_blank');
    await page.getByRole('link', { name: 'What to look at' }).click();
    await page.waitForURL('**/tag-manager/template#arriving');
    const arriving = page.getByRole('heading', { name: 'See that it works' });
    await expect
      .poll(() => arriving.evaluate((one) => one.getBoundingClientRect().top < innerHeight))
      .toBe(true);
  });

  it('reviews what waits', async () => {
    const waits = { title: 'The tag is proposed', action: 'review' as const };
    const { page } = await open({ verification: verificationOf({ tag: waits }) });
    await page.getByRole('link', { name: 'Review the changes' }).click();
    await page.waitForURL('**/tag-manager/changes');
  });

  it('leads to where one connects', async () => {
    const { page } = await open({
      ...{ connection: connections.none, verification: verifications.notConnected },
    });
    await page.getByRole('button', { name: 'Connect' }).click();
    const id = page.getByLabel('Client ID', { exact: true });
    expect(await id.evaluate(isFocused)).toBe(true);
  });
});

const READ = ['POST /snapshot'];
const CONSENT = ['POST /connection/consent'];

/** What a fault offers first, and what that does; of which faults offer what, `ui/` has its tests. */
const WAYS: [FaultCode, string, string[]][] = [
  ['missing_scope', 'Connect again', CONSENT],
  ['unreachable', 'Try again', READ],
  ['stopped', 'Read again', READ],
  ['workspace_gone', 'Choose a workspace', []],
];

describe('a problem', () => {
  it.each(WAYS)('of the kind %s says what is wrong, and offers: %s', async (code, name, done) => {
    const problem = fault(code, 'This is wrong.', 'This is the way on.');
    const lasts = !['unreachable', 'stopped'].includes(code);
    const { page, deeds } = await open({
      connection: {
        ...connections.chosen,
        may_edit: code !== 'missing_scope',
        ...(lasts ? { problem } : { last_failure: problem }),
      },
    });
    const told = page.getByRole('alert').filter({ hasText: 'This is wrong.' });
    await told.getByText('This is the way on.').waitFor();
    await answerConsent(page);
    await told.getByRole('button', { name, exact: true }).click();
    await expect.poll(() => deeds()).toEqual(done);
    if (code === 'workspace_gone') await page.getByText('Workspace').last().waitFor();
  });

  it('that lasts is said once, and that what is shown is old', async () => {
    const problem = fault('grant_ended', 'The access has ended.', 'Connect again.');
    const connection = { ...connections.chosen, problem, last_failure: { ...problem, at: ago(1) } };
    const { page } = await open({ connection });
    await page.getByRole('heading', { name: 'GTM-SHOP123 can no longer be read.' }).waitFor();
    await page.getByText('is as it was read last').waitFor();
    expect(await page.getByText('The access has ended.').count()).toBe(1);
  });

  it('with the client leads to its form, which a connection has to be given up for', async () => {
    const problem = fault('wrong_client', 'Google does not know this client ID.', 'Change it.');
    const { page, known, asked } = await open({ connection: { ...connections.chosen, problem } });
    await page.getByRole('button', { name: 'Disconnect, to change the client ID' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    known.connection = { ...connections.ready, problem };
    await page.reload();
    await page.getByRole('alert').getByRole('button', { name: 'Change the client ID' }).click();
    const id = page.getByLabel('Client ID', { exact: true });
    expect(await id.evaluate(isFocused)).toBe(true);
    // Reading anew does not take whoever has gone on back to where they began.
    await page.getByLabel('Client secret').focus();
    known.connection = {
      ...known.connection,
      quota: { used_today: 5, per_day: 10_000, waiting_seconds: 0 },
    };
    const reads = asked.length;
    const look = () => document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    await expect
      .poll(async () => {
        await page.evaluate(look);
        return asked.length;
      })
      .toBeGreaterThan(reads);
    await page.waitForLoadState('networkidle');
    expect(await id.evaluate(isFocused)).toBe(false);
  });

  it('of an API that is switched off leads to its switch', async () => {
    const problem = fault('api_disabled', 'The API is switched off.', 'Switch it on.');
    const { page } = await open({ connection: { ...connections.chosen, problem } });
    const link = page.getByRole('link', { name: 'Tag Manager API at Google' });
    expect(await link.getAttribute('href')).toContain('/apis/library/tagmanager.googleapis.com');
  });

  it('of reading only says how editing is granted', async () => {
    const { page, deeds } = await open({ connection: { ...connections.chosen, may_edit: false } });
    await answerConsent(page);
    await page.getByText('Changes can be proposed, but not written.').waitFor();
    await page.getByRole('button', { name: 'Grant editing' }).click();
    await expect.poll(() => deeds()).toEqual(CONSENT);
  });
});

const ACCOUNTS = [{ account_id: '600', name: 'Shop Ltd' }];
const CONTAINERS = Array.from({ length: 60 }, (_, i) => ({
  ...{ account_id: '600', container_id: `${700 + i}`, public_id: `GTM-S${i}` },
  ...{ name: i === 1 ? HOSTILE : `shop-${i}.example`, usage_context: i === 2 ? [] : ['web'] },
}));
const trouble = fault('grant_ended', 'The access has ended.', 'Connect again.');

/** Every state that the page has. */
const STATES: Record<string, Partial<Known>> = {
  none: { connection: connections.none, verification: verifications.notConnected },
  ready: { connection: connections.ready, verification: verifications.notConnected },
  denied: { connection: { ...connections.ready, problem: fault('denied', 'Denied.', 'Agree.') } },
  waiting: { connection: connections.waiting },
  choosing: { connection: connections.choosing, accounts: ACCOUNTS, containers: CONTAINERS },
  complete: {},
  lacking: { verification: verificationOf({ template: {}, tag: {}, events: {} }) },
  reading: { connection: { ...connections.chosen, job: job() } },
  ended: { connection: { ...connections.chosen, problem: trouble } },
  failed: { connection: { ...connections.chosen, last_failure: trouble, may_edit: false } },
};

it('every state keeps nobody out, light and dark, and fits a narrow window', async () => {
  const { page, known } = await opened(STATUS, {}, { viewport: { width: 900, height: 800 } });
  const before = { ...known };
  for (const [name, state] of Object.entries(STATES)) {
    Object.assign(known, before, state);
    await page.reload();
    await page.getByText('Is it in place?').waitFor();
    await expect.poll(() => page.locator('.loading').count()).toBe(0);
    const found = [...(await barriersInBoth(page)), (await excess(page)) > 0];
    expect([name, ...found]).toEqual([name, false]);
  }
});
