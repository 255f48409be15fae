import { describe, expect, test } from 'vitest';
import { dashboard, ownDashboard, signedIn } from '../helpers/browser.ts';
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
    await row.getByRole('button', { name: `Show ${HTML}` }).click();
    await page.getByText(secret).waitFor();
    await row.getByRole('button', { name: `Hide ${HTML}` }).click();
    await page.getByText(secret).waitFor({ state: 'detached' });

    await row.getByRole('button', { name: /^What to do with/ }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await send()).statusCode).toBe(401);
    expect(at.faults).toEqual([]);
  });

  test('a key for metrics reads those and nothing else', async () => {
    await using at = await dashboard('/settings/keys');
    const { page, appliance } = at;
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.getByLabel('Name').fill('Prometheus');
    await page.getByRole('radio', { name: /^Only metrics/ }).check();
    await page.getByRole('button', { name: 'Make the key' }).click();
    const made = page.getByRole('region', { name: 'Prometheus is made' });
    const headers = { 'x-api-key': await made.locator('code').innerText() };
    expect((await fetch(`${appliance.url}/metrics`, { headers })).status).toBe(200);
    expect((await appliance.get('/events', headers)).statusCode).toBe(403);
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
  await page.getByLabel('Value of header 1').fill('shop');
  await page.getByRole('button', { name: 'Set up the webhook' }).click();
  await page.getByText('This header needs a name').waitFor();
  await page.getByLabel('Name of header 1').fill('X-Team');
  await page.getByRole('button', { name: 'Set up the webhook' }).click();
  const question = page.getByRole('alertdialog', { name: /^This address is on a private network/ });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('not saved: the address is on a private network').waitFor();
  await page.getByRole('button', { name: 'Set up the webhook' }).click();
  await question.getByRole('button', { name: 'Send alerts there' }).click();
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

  // What is offered to copy does what it says.
  const sample = await page.getByLabel('signature check', { exact: true }).innerText();
  const code = `${sample}\nexport { isFromVedette };`;
  const { isFromVedette } = (await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`
  )) as { isFromVedette: (headers: object, body: string, secret: string) => boolean };
  expect(isFromVedette(got.headers, got.body, secret)).toBe(true);
  expect(isFromVedette(got.headers, `${got.body} `, secret)).toBe(false);

  const row = page.getByRole('row').filter({ hasText: 'Delivered' });
  await row.getByRole('button', { name: /what was sent/ }).click();
  await page.getByRole('group', { name: 'What was sent' }).getByText('This is a test').waitFor();

  receiver.answers(500);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The test did not arrive: Answered 500').waitFor();
  await page.getByRole('radiogroup', { name: 'Status' }).getByText('Failed').click();
  await expect.poll(() => new URL(page.url()).search).toBe('?status=failed');
  await row.waitFor({ state: 'detached' });

  const allowed = page.getByRole('switch', { name: 'Allow this address on a private network' });
  expect(await allowed.isChecked()).toBe(true);
  await allowed.click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused: alerts are made, but not sent').waitFor();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('heading', { name: 'Set up a webhook' }).waitFor();
  expect(at.faults).toEqual([]);
});

test('a session of another window ends only after a question', async () => {
  await using at = await ownDashboard('/settings/access');
  await using other = await signedIn(at.appliance, '/settings/about');
  const { page } = at;
  await page.reload();
  const end = page.getByRole('button', { name: 'End', exact: true });
  await end.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await end.count()).toBe(1);
  await end.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End it' }).click();
  await end.waitFor({ state: 'detached' });
  await other.page.getByRole('link', { name: 'Storage' }).click();
  await other.page.getByRole('heading', { name: 'Sign in to Vedette' }).waitFor();
  expect(at.faults).toEqual([]);
});

test('a new password ends the sessions of other windows', async () => {
  await using at = await ownDashboard('/settings/access');
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
  await other.page.getByLabel('Password', { exact: true }).fill('a long enough sentence');
  await other.page.getByRole('button', { name: 'Sign in' }).click();
  await other.page.getByRole('link', { name: 'Password and sessions' }).click();
  await other.page.getByLabel('Current password').fill('not the right one');
  await other.page.getByLabel('New password').fill('another long sentence');
  await other.page.getByRole('button', { name: 'Change the password' }).click();
  await other.page.getByText('is not the current password').waitFor();
  expect([...at.faults, ...other.faults]).toEqual([]);
});
