import { describe, expect, test } from 'vitest';
import { dashboard, signedIn } from '../helpers/browser.ts';
import { openReceiver, verified } from '../webhooks/receiver.ts';

const HTML = '<img src=x onerror="throw 1">';
const ITEM = [{ source: 'backend', event_type: 'purchase', data: { order_id: 'A-1' } }];

describe('keys', () => {
  test('a key is made, sends, and is refused once it is revoked', async () => {
    await using at = await dashboard('/settings');
    const { page, appliance } = at;
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.getByLabel('Name').fill(HTML);
    await page.getByRole('radio', { name: /^Only send/ }).check();
    await page.getByLabel('Allowed domains').fill('https://shop.example/cart');
    await page.getByLabel('Allowed domains').press('Enter');
    await page.getByRole('button', { name: 'Make the key' }).click();

    await page
      .getByText('https://shop.example/cart is a full address: write only shop.example')
      .waitFor();
    await page.getByRole('button', { name: 'Remove domain https://shop.example/cart' }).click();
    await page.getByLabel('Allowed domains').fill('*.shop.example');
    await page.getByRole('button', { name: 'Make the key' }).click();

    const made = page.getByRole('region', { name: `${HTML} is made` });
    const secret = await made.locator('code').innerText();
    await made.getByRole('button', { name: 'Done' }).click();
    const send = () => appliance.post(ITEM, { 'x-api-key': secret });
    expect((await send()).statusCode).toBe(201);

    const row = page.getByRole('row').filter({ hasText: HTML });
    await row.getByText('*.shop.example').waitFor();
    await row.getByRole('button', { name: 'Show' }).click();
    await row.getByText(secret).waitFor();
    await row.getByRole('button', { name: 'Hide' }).click();
    await row.getByText(secret).waitFor({ state: 'detached' });

    await row.getByRole('button', { name: /^What to do with/ }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await send()).statusCode).toBe(401);
    expect(at.faults).toEqual([]);
  });

  test('a rotated key says when it ends and what replaces it', async () => {
    await using at = await dashboard('/settings/keys');
    const { page, appliance } = at;
    await page.getByRole('button', { name: /^What to do with/ }).click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await page.getByLabel('The old key still works').selectOption({ label: '7 days' });
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    const secret = await page
      .getByRole('region', { name: /is made/ })
      .locator('code')
      .innerText();
    await page.getByText(`Ends in 7 days; replaced by ••••${secret.slice(-4)}`).waitFor();
    expect((await appliance.get('/events', { 'x-api-key': secret })).statusCode).toBe(200);
    expect(at.faults).toEqual([]);
  });
});

test('a webhook is set up, tested, and what it sent is in the log', async () => {
  const receiver = await openReceiver();
  await using at = await dashboard('/settings/webhook');
  const { page } = at;
  await page.getByLabel('Address').fill('not an address');
  await page.getByRole('button', { name: 'Set up the webhook' }).click();
  await page.getByText('must not have spaces').waitFor();
  await page.getByLabel('Address').fill(receiver.url);
  await page.getByRole('button', { name: 'Add a header' }).click();
  await page.getByLabel('Name of header 1').fill('X-Team');
  await page.getByLabel('Value of header 1').fill('shop');
  await page.getByRole('button', { name: 'Set up the webhook' }).click();
  const secret = await page
    .getByRole('region', { name: 'The webhook is set up' })
    .locator('code')
    .innerText();

  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The test arrived; the receiver answered 204.').waitFor();
  const [got] = receiver.received;
  if (!got) throw new Error('Nothing came');
  expect(verified(got, secret)).toMatchObject({ type: 'test' });
  expect(got.headers['x-team']).toBe('shop');

  const row = page.getByRole('row').filter({ hasText: 'Delivered' });
  await row.getByRole('button', { name: /what was sent/ }).click();
  await page.getByRole('group', { name: 'What was sent' }).getByText('This is a test').waitFor();

  receiver.answers(500);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The test did not arrive: Answered 500').waitFor();
  await page.getByText('Failed', { exact: true }).last().click();
  await expect.poll(() => new URL(page.url()).search).toBe('?status=failed');
  await row.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused: alerts are made, but not sent').waitFor();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('heading', { name: 'Set up a webhook' }).waitFor();
  expect(at.faults).toEqual([]);
});

test('keeping events for less long asks, and says what will be gone', async () => {
  await using at = await dashboard('/settings/storage');
  const { page, appliance } = at;
  const kept = async () => (await appliance.get('/tenants/me')).json<{ retention_days: number }>();
  const save = page.getByRole('button', { name: 'Save' });
  await page.getByLabel('Events (days)').waitFor();
  expect(await save.isDisabled()).toBe(true);
  await page.getByLabel('Events (days)').fill('30');
  await save.click();
  const ask = page.getByRole('alertdialog');
  await ask.getByText(/^Events before .+ will be deleted for good within the hour\.$/).waitFor();
  await ask.getByRole('button', { name: 'Cancel' }).click();
  expect((await kept()).retention_days).toBe(90);

  await page.getByRole('link', { name: 'Tenants' }).click();
  await ask.getByText(/not saved/).waitFor();
  await ask.getByRole('button', { name: 'Cancel' }).click();

  await save.click();
  await ask.getByRole('button', { name: 'Delete them' }).click();
  await page.getByText('Saved').waitFor();
  expect((await kept()).retention_days).toBe(30);
  await page.getByLabel('Events (days)').fill('5000');
  await save.click();
  await page.getByText('must be at most 3650').waitFor();
  expect(at.faults).toEqual([]);
});

test('the network section says why the LAN stays shut, and what is wrong with an address', async () => {
  await using at = await dashboard('/settings/network', { rateLimitEvents: 5 });
  const { page } = at;
  const lan = page.getByRole('switch', { name: 'Open the dashboard to other machines' });
  await lan.click();
  await page.getByText('Set a password before you open the dashboard to the LAN').waitFor();
  expect(await lan.isChecked()).toBe(false);
  expect(await page.getByRole('link', { name: 'Set a password' }).getAttribute('href')).toBe(
    '/settings/access',
  );
  await page
    .getByRole('textbox', { name: 'Public address' })
    .fill('https://events.shop.example/in');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('must not have a path: write https://events.shop.example').waitFor();
  expect(await page.getByLabel('POST').isDisabled()).toBe(true);
  await page.getByText('Held by a start option').first().waitFor();
  expect(at.faults).toEqual([]);
});

test('a new password ends the sessions of other windows', async () => {
  await using at = await dashboard('/settings/access');
  await using other = await signedIn(at.appliance, '/settings/about');
  const { page } = at;
  await page.reload();
  await page.getByRole('button', { name: 'End all other sessions' }).waitFor();
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByText('must have at least 10 characters').waitFor();
  await page.getByLabel('New password').fill('a long enough sentence');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByRole('heading', { name: 'Change the password' }).waitFor();
  await page.getByRole('button', { name: 'End all other sessions' }).waitFor({ state: 'detached' });

  await other.page.getByRole('link', { name: 'Storage' }).click();
  await other.page.getByRole('heading', { name: 'Sign in to Vedette' }).waitFor();
  await other.page.getByLabel('Password').fill('a long enough sentence');
  await other.page.getByRole('button', { name: 'Sign in' }).click();
  await other.page.getByRole('link', { name: 'Password and sessions' }).click();
  await other.page.getByLabel('Current password').fill('not the right one');
  await other.page.getByLabel('New password').fill('another long sentence');
  await other.page.getByRole('button', { name: 'Change the password' }).click();
  await other.page.getByText('is not the current password').waitFor();
  expect([...at.faults, ...other.faults]).toEqual([]);
});

test('a tenant is added, switched to and renamed', async () => {
  await using at = await dashboard('/settings/tenants');
  const { page } = at;
  await page.getByRole('textbox', { name: 'Name' }).fill(HTML);
  await page.getByRole('button', { name: 'Add the tenant' }).click();
  await page.getByRole('button', { name: 'Switch to it' }).click();
  await page.getByRole('banner').getByText(HTML).waitFor();
  await page.getByRole('button', { name: `Rename ${HTML}` }).click();
  await page.getByLabel('Name of the tenant').fill('Second shop');
  await page.getByLabel('Name of the tenant').press('Enter');
  await page.getByRole('banner').getByText('Second shop').waitFor();
  await page.getByRole('button', { name: 'Switch to Default' }).click();
  await page.getByRole('button', { name: 'Rename Default' }).waitFor();
  expect(at.faults).toEqual([]);
});

test('about says what runs, how it is, and when it listened', async () => {
  await using at = await dashboard('/settings/about');
  const { page, appliance } = at;
  await page.getByText(appliance.dataDir).waitFor();
  await page.getByText('Rules are evaluated').waitFor();
  await page.getByText(/Listening without a break since/).waitFor();
  await page.goto('/settings/nothing');
  await page.getByRole('heading', { name: 'There is no such section' }).waitFor();
  expect(at.faults).toEqual([]);
});
