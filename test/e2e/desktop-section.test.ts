import { describe, expect, test } from 'vitest';
import { barriersInBoth } from '../helpers/axe.ts';
import { dashboard } from '../helpers/browser.ts';
import { asked, desktopWindow, failing, holding, inShell } from './desktop-parts.ts';

const KEEP = 'Keep running when the window is closed';
const focus = `dispatchEvent(new Event('focus'))`;

describe('the switches', () => {
  test('tell the shell, and stand where it says', async () => {
    await using at = await desktopWindow('/settings/desktop');
    const { page } = at;
    const keep = page.getByRole('switch', { name: KEEP });
    const start = page.getByRole('switch', { name: 'Start when I sign in to this computer' });
    const look = page.getByRole('switch', { name: 'Look for new versions' });
    expect([await keep.isChecked(), await start.isChecked()]).toEqual([true, false]);

    await keep.click();
    await expect.poll(() => keep.isChecked()).toBe(false);
    await start.click();
    await expect.poll(() => start.isChecked()).toBe(true);
    await look.click();
    await expect.poll(() => look.isChecked()).toBe(false);
    expect(await asked(page)).toEqual([
      'change {"close_to_tray":false}',
      'change {"start_at_login":true}',
      'change {"check_for_updates":false}',
    ]);
    expect(at.faults).toEqual([]);
  });

  test('wait for the shell, and say in its words what went wrong', async () => {
    await using at = await desktopWindow('/settings/desktop');
    const { page } = at;
    const start = page.getByRole('switch', { name: /^Start when/ });
    await failing(page, 'change', 'The autostart folder cannot be written');
    const go = await holding(page, 'change');
    await start.click();
    await expect.poll(() => start.isDisabled()).toBe(true);
    await go();
    await page.getByText('The autostart folder cannot be written.', { exact: true }).waitFor();
    expect(await page.getByText('remote method').count()).toBe(0);
    expect([await start.isChecked(), await start.isEnabled()]).toEqual([false, true]);

    await failing(page, 'change');
    await start.click();
    await expect.poll(() => start.isChecked()).toBe(true);
    expect(await page.getByText('The autostart folder').count()).toBe(0);
    expect(at.faults).toEqual([]);
  });

  test('follow what was changed from the tray when the window is looked at again', async () => {
    await using at = await desktopWindow('/settings/desktop');
    const { page } = at;
    const keep = page.getByRole('switch', { name: KEEP });
    await keep.waitFor();
    await inShell(page, { close_to_tray: false, paused_until: 'always' });
    await page.evaluate(focus);
    await page.getByText('Paused until you switch them on again').waitFor();
    expect(await keep.isChecked()).toBe(false);
  });
});

test('notifications are paused for as long as was pressed, and switched on again', async () => {
  await using at = await desktopWindow('/settings/desktop', {
    context: { timezoneId: 'Asia/Tokyo' },
  });
  const { page } = at;
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const until = async () => {
    const [call = ''] = await asked(page);
    return (JSON.parse(call.slice('change '.length)) as { paused_until: string | null })
      .paused_until;
  };
  await page.getByText('On: a new alert is shown').waitFor();
  expect(await page.getByRole('button', { name: 'Notify again' }).count()).toBe(0);

  await press('Pause for 1 hour');
  await page.getByText(/Paused until (tomorrow )?\d\d:\d\d\. Alerts are made/).waitFor();
  const hour = Date.parse(String(await until())) - Date.now();
  expect(hour).toBeGreaterThan(3_540_000);
  expect(hour).toBeLessThanOrEqual(3_600_000);

  await press('Pause until tomorrow 08:00');
  await page.getByText('Paused until tomorrow 08:00').waitFor();
  // Eight in the morning there is eleven at night in Greenwich.
  expect(await until()).toMatch(/T23:00:00\.000Z$/);

  await press('Pause until I switch them on again');
  await page.getByText('Paused until you switch them on again').waitFor();
  expect(await until()).toBe('always');

  await press('Notify again');
  await page.getByText('On: a new alert is shown').waitFor();
  expect(await until()).toBe(null);

  await inShell(page, { paused_until: new Date(Date.now() - 60_000).toISOString() });
  await page.evaluate(focus);
  await failing(page, 'change', 'The disk is full.');
  await press('Pause for 1 hour');
  await page.getByText('The disk is full.', { exact: true }).waitFor();
  expect(await page.getByText('On: a new alert is shown').count()).toBe(1);
  expect(at.faults).toEqual([]);
});

describe('updates', () => {
  test('are looked for when asked, and followed until they are ready', async () => {
    await using at = await desktopWindow('/settings/desktop');
    const { page } = at;
    const check = page.getByRole('button', { name: 'Check now' });
    await page.getByText('Vedette has not looked for a new version yet.').waitFor();
    expect(await page.getByText('is the newest').count()).toBe(0);
    await inShell(page, { update: { state: 'checking', version: null, detail: null } });
    await check.click();
    await page.getByText('Looking for a new version …').waitFor();
    expect(await check.isDisabled()).toBe(true);
    expect(await asked(page)).toEqual(['checkForUpdates']);

    // Nobody presses anything from here on.
    await inShell(page, { update: { state: 'loading', version: '0.2.0', detail: null } });
    await page.getByText('Version 0.2.0 is being loaded …').waitFor();
    await inShell(page, { update: { state: 'ready', version: '0.2.0', detail: null } });
    await page.getByText('Version 0.2.0 is ready to be put in place.').waitFor();

    const go = await holding(page, 'restartToUpdate');
    const restart = page.getByRole('button', { name: 'Restart to update' });
    await restart.click();
    await expect.poll(() => restart.isDisabled()).toBe(true);
    await failing(page, 'restartToUpdate', 'The new version is damaged');
    await go();
    await page.getByText('The new version is damaged.', { exact: true }).waitFor();
    expect(await asked(page)).toEqual(['restartToUpdate']);
    expect(at.faults).toEqual([]);
  });

  test('that fail, are off or cannot be had say so', async () => {
    await using at = await desktopWindow('/settings/desktop', {
      view: { update: { state: 'failed', version: null, detail: 'The place does not answer.' } },
    });
    const { page } = at;
    const check = page.getByRole('button', { name: 'Check now' });
    await page.getByText('Looking for a new version failed.').waitFor();
    await page.getByText('The place does not answer.').waitFor();
    expect(await check.isEnabled()).toBe(true);

    await inShell(page, {
      check_for_updates: false,
      update: { state: 'off', version: null, detail: null },
    });
    await page.evaluate(focus);
    await page.getByText('Vedette does not look for new versions.').waitFor();
    expect(await check.isDisabled()).toBe(true);

    const detail = 'It was installed by apt, which updates it.';
    await inShell(page, { update: { state: 'unavailable', version: null, detail } });
    await page.evaluate(focus);
    await page.getByText(detail).waitFor();
    await page.getByText('This copy of Vedette cannot update itself.').waitFor();
    expect(await check.count()).toBe(0);
    expect(await page.getByRole('switch', { name: 'Look for new versions' }).isDisabled()).toBe(
      true,
    );
  });
});

test('who keeps the secrets is said, with what it means', async () => {
  await using at = await desktopWindow('/settings/desktop');
  const { page } = at;
  await page.getByText('Kept by the key store of your system').waitFor();
  await inShell(page, { secrets: 'key-file' });
  await page.evaluate(focus);
  await page.getByText('Kept by a key file in the data folder').waitFor();
  await page.getByText('whoever can read the data folder').waitFor();
});

test('folders open from the section, from About and from the palette', async () => {
  await using at = await desktopWindow('/settings/desktop');
  const { page } = at;
  await page.getByRole('button', { name: 'Open the data folder' }).click();
  await page.getByRole('button', { name: 'Open the logs folder' }).click();
  await page.getByRole('link', { name: 'About' }).click();
  await page.getByRole('button', { name: 'Open the data folder' }).click();
  expect(await asked(page)).toEqual([
    'openFolder "data"',
    'openFolder "logs"',
    'openFolder "data"',
  ]);
  expect(await page.getByRole('link', { name: 'All paths' }).getAttribute('target')).toBe('_blank');

  await failing(page, 'openFolder', 'There is no file manager');
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('A page, a rule').fill('logs');
  await page.keyboard.press('Enter');
  await page.getByText('There is no file manager.', { exact: true }).waitFor();
  expect(await asked(page)).toEqual(['openFolder "logs"']);
  expect(at.faults).toEqual([]);
});

test('the palette pauses notifications, and then offers to notify again', async () => {
  await using at = await desktopWindow('/rules');
  const { page } = at;
  const find = async (words: string) => {
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('A page, a rule').fill(words);
  };
  // Before the page is there, nobody hears the keys.
  await page.getByRole('heading', { name: 'Rules', exact: true }).waitFor();
  await find('notif');
  await page.getByRole('option', { name: 'Pause notifications for an hour' }).click();
  await page.getByText(/^Notifications are paused until (tomorrow )?\d\d:\d\d$/).waitFor();
  await find('notif');
  const found = () => page.getByRole('option').allInnerTexts();
  await expect.poll(found).toEqual(['Notify again: notifications are paused']);
  await page.keyboard.press('Enter');
  await page.getByText('New alerts are shown as notifications again').waitFor();
  expect((await asked(page))[1]).toBe('change {"paused_until":null}');

  await find('desktop');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Desktop' }).waitFor();
  expect(at.faults).toEqual([]);
});

test('a shell that does not say how it stands is asked again when one likes', async () => {
  await using at = await desktopWindow('/settings/desktop', { faults: { read: 'Not ready yet' } });
  const { page } = at;
  await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor();
  await page.getByText('Not ready yet.', { exact: true }).waitFor();
  // What needs no answer can be done all the same.
  await page.getByRole('button', { name: 'Open the logs folder' }).click();
  await failing(page, 'read');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('switch', { name: KEEP }).waitFor();
  expect(at.faults).toEqual([]);
});

test('a browser sees none of it', async () => {
  await using at = await dashboard('/settings/desktop');
  const { page } = at;
  await page.getByRole('heading', { name: 'There is no such section' }).waitFor();
  expect(await page.getByRole('link', { name: 'Desktop' }).count()).toBe(0);
  await page.getByRole('link', { name: 'About' }).click();
  await page.getByText(at.appliance.appliance.dataDir).waitFor();
  expect(await page.getByRole('button', { name: 'Open the data folder' }).count()).toBe(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Sign out' }).waitFor();
  expect(await page.getByRole('option', { name: /logs folder|otif/ }).count()).toBe(0);
  expect(at.faults).toEqual([]);
});

test('the section keeps nobody out and fits in a narrow window, in light and dark', async () => {
  await using at = await desktopWindow('/settings/desktop', {
    context: { viewport: { width: 900, height: 800 } },
    view: {
      paused_until: 'always',
      update: { state: 'failed', version: '0.2.0', detail: 'x'.repeat(300) },
    },
  });
  const { page } = at;
  await page.getByText('The update to version 0.2.0 failed.').waitFor();
  await failing(page, 'change', 'y'.repeat(300));
  await page.getByRole('switch', { name: KEEP }).click();
  await page.getByText('yyyy').waitFor();
  expect(await barriersInBoth(page)).toEqual([]);
  await inShell(page, {
    secrets: 'key-file',
    update: { state: 'ready', version: '0.2.0', detail: null },
  });
  await page.evaluate(focus);
  await page.getByRole('button', { name: 'Restart to update' }).waitFor();
  expect(await barriersInBoth(page)).toEqual([]);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  expect(at.faults).toEqual([]);
});
