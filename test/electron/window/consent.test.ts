import { expect, test } from 'vitest';
import { dashboardOf } from '../../helpers/desktop/pages.ts';
import { startDesktop } from '../../helpers/desktop/program.ts';
import { desktopSuite } from '../../helpers/desktop/suite.ts';
import { startGoogle } from '../../helpers/google.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

desktopSuite('the consent screen', () => {
  test('opens in the system’s browser, and the window goes on once access is given', async () => {
    await using google = await startGoogle();
    const accountId = google.api.account({ name: 'Shop Ltd' });
    for (const name of ['North', 'South']) google.api.container({ accountId, name });
    const desktop = await startDesktop({
      dataDir: tempDir(),
      env: { VEDETTE_TAGMANAGER_ENDPOINTS: google.options.tagmanagerEndpoints },
    });
    const before = desktop.display.opened().length;
    const opened = () => desktop.display.opened().slice(before);
    const page = await dashboardOf(desktop, '/tag-manager');
    await page.getByLabel('Client ID', { exact: true }).fill(google.clientId);
    await page.getByRole('button', { name: 'Save client ID' }).click();
    await page.getByRole('button', { name: 'Change the client ID' }).waitFor();
    await page
      .getByRole('button', { name: /^Connect/ })
      .first()
      .click();
    await expect.poll(opened).toHaveLength(1);

    const [consent = ''] = opened();
    expect(new URL(consent).origin).toBe(new URL(google.endpoints.authorize).origin);
    const back = await google.identity.consent(consent);
    expect(new URL(back).origin).toBe(desktop.url);
    expect((await fetch(back)).status).toBe(200);
    await page
      .getByRole('heading', { name: 'Choose the container that is to send to Vedette.' })
      .waitFor();
    expect(await desktop.pages()).toHaveLength(1);
  });
});
