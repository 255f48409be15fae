import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startAppliance } from '../helpers/appliance.ts';
import type { TestAppliance } from '../helpers/appliance.ts';
import { signedIn } from '../helpers/browser.ts';
import { startGoogle } from '../helpers/google.ts';
import type { Google } from '../helpers/google.ts';

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 2 }).waitFor();

/** What the page was told, to look for what it must never be told. */
function listened(page: Page): string[] {
  const answers: string[] = [];
  page.on('response', (response) => {
    void response.text().then(
      (text) => answers.push(text),
      () => undefined,
    );
  });
  return answers;
}

/** From the client ID to the consent, which the person gives in a tab of its own. */
async function connect(page: Page, google: Google): Promise<void> {
  await page.getByLabel('Client ID', { exact: true }).fill(google.clientId);
  await page.getByRole('button', { name: 'Save client ID' }).click();
  await page.getByRole('button', { name: 'Change the client ID' }).waitFor();
  const [consent] = await Promise.all([
    page.context().waitForEvent('page'),
    page
      .getByRole('button', { name: /^Connect/ })
      .first()
      .click(),
  ]);
  await consent.getByRole('button', { name: 'Allow' }).click();
  await consent.getByRole('heading', { name: 'The tag manager is connected' }).waitFor();
  await consent.close();
}

/** What the tag of the container sends when a visitor buys something. */
async function purchase(appliance: TestAppliance, key: string, container: string) {
  const event = { type: 'purchase', timestamp: Date.now(), data: { value: 49.9 }, metadata: {} };
  const payload = { source: 'gtm', source_id: container, events: [event] };
  const answer = await appliance.pixel(encodeURIComponent(JSON.stringify(payload)), key);
  expect(answer.statusCode).toBe(200);
}

describe('from not connected to verified', () => {
  it('a person connects, chooses, installs, publishes, and sees that all three checks hold', async () => {
    await using google = await startGoogle();
    const { api } = google;
    const accountId = api.account({ name: 'Shop Ltd' });
    let place = api.container({ accountId, name: 'Small site', publicId: 'GTM-SMALL1' });
    api.fillContainer(place, { tags: 8, triggers: 5, variables: 6 });
    for (const name of ['North', 'South']) api.container({ accountId, name });
    await using appliance = await startAppliance(google.options);
    await using window = await signedIn(appliance, '/tag-manager', { reducedMotion: 'reduce' });
    const { page } = window;
    const answers = listened(page);

    await heading(page, 'The tag manager is not connected.');
    await connect(page, google);

    await heading(page, 'Choose the container that is to send to Vedette.');
    await page.getByPlaceholder('Search by name or ID').fill('GTM-SMALL');
    await page.getByText('Small site').click();
    await page.getByRole('button', { name: 'Use GTM-SMALL1' }).click();
    await heading(page, 'GTM-SMALL1 does not send to Vedette.');

    await page.getByRole('button', { name: 'Propose it' }).first().click();
    await page.waitForURL('**/tag-manager/changes**');
    await page.getByRole('button', { name: 'Accept all 3' }).click();
    await heading(page, 'Nothing waits to be decided.');
    const [tag] = api.list(place, 'tag').filter(({ type }) => type?.startsWith('cvt_'));
    const key = tag?.parameter?.find((one) => one.key === 'apiKey')?.value ?? '';

    await page.getByRole('link', { name: 'Status', exact: true }).click();
    await heading(page, 'The tag in GTM-SMALL1 waits to be published.');
    place = api.publish(place, 'With Vedette');
    await purchase(appliance, key, 'GTM-SMALL1');
    await page.getByRole('button', { name: 'Check status' }).click();
    await heading(page, 'GTM-SMALL1 sends to Vedette, and all three checks hold.');

    await page.goto('/tag-manager/changes?view=audit');
    const accepted = page.getByRole('row').filter({ hasText: 'Accepted' });
    await accepted.first().waitFor();
    expect(await accepted.count()).toBe(3);
    expect(await accepted.first().innerText()).toMatch(/Dashboard, .*127\.0\.0\.1/);

    const secrets = new Set([
      ...api.requests.map(({ token }) => token),
      ...google.identity.asked.flatMap(({ body }) => [
        body.get('code_verifier') ?? '',
        body.get('refresh_token') ?? '',
      ]),
    ]);
    secrets.delete('');
    expect(secrets.size).toBeGreaterThan(1);
    for (const secret of secrets) {
      expect(answers.filter((text) => text.includes(secret))).toEqual([]);
    }
    expect(api.publishing()).toEqual([]);
    expect(window.faults).toEqual([]);
  });
});
