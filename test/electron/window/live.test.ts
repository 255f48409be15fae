import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { callsTo } from '../../helpers/desktop/calls.ts';
import { bridge, sharedWindow } from '../../helpers/desktop/pages.ts';
import type { RunningDesktop } from '../../helpers/desktop/program.ts';
import { desktopSuite } from '../../helpers/desktop/suite.ts';

desktopSuite('what happens while it runs', () => {
  let desktop: RunningDesktop;
  let page: Page;
  let calls: ReturnType<typeof callsTo>;

  beforeAll(async () => {
    ({ desktop, page } = await sharedWindow());
    calls = callsTo(desktop.url);
  });

  const notifications = () => desktop.display.notifications;
  const titles = () =>
    notifications()
      .all()
      .map(({ title }) => title);

  // Each begins with no rules, and thus nothing that fires.
  beforeEach(async () => {
    for (const { id } of await calls.call<{ id: string }[]>('GET', '/rules')) {
      await calls.call('DELETE', `/rules/${id}`);
    }
    notifications().forget();
  });

  test('an event that is sent from outside appears in the live list', async () => {
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Events' })
      .click();
    await expect.poll(() => page.getByRole('status').allInnerTexts()).toContain('Live');
    await calls.send('purchase', 1, { order_id: 'A-17' });
    await page.getByText('order_id: "A-17"').waitFor();
  });

  test('an alert is told outside of the window, and a click on that opens it', async () => {
    await calls.rule('Too many <refunds> & more', 'refund');
    await calls.send('refund', 3);
    await calls.evaluate();
    await expect.poll(titles).toHaveLength(1);
    const [shown] = notifications().all();
    if (!shown) throw new Error('Nothing was shown');
    expect(shown.title).toContain('Too many <refunds> & more');
    // The body may hold markup for who shows it, so strangers' text comes escaped.
    expect(shown.body).toBe('Threshold exceeded: 3 &gt; 0 in 60 min window');

    await desktop.closeWindow();
    await expect.poll(desktop.shown).toEqual([]);
    notifications().click(shown);
    const [alert] = await calls.alerts();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/alerts/${alert?.id}`);
    await page.getByText('Too many <refunds> & more').first().waitFor();
    await expect.poll(desktop.shown).toHaveLength(1);
  });

  test('a rule that keeps firing is told once', async () => {
    await calls.rule('Stays too high', 'signup', 'warning');
    await calls.send('signup');
    await calls.evaluate();
    await expect.poll(titles).toEqual([expect.stringContaining('Stays too high')]);
    await calls.evaluate();
    await calls.evaluate();
    await calls.rule('Comes later', 'signup');
    await calls.evaluate();
    await expect.poll(titles).toHaveLength(2);
    expect(titles()[1]).toContain('Comes later');
  });

  test('nothing is told while notifications are paused', async () => {
    await bridge(page, 'change', { paused_until: 'always' });
    await calls.rule('Not told', 'login');
    await calls.send('login');
    expect(await calls.evaluate()).toMatchObject({ alerts: 1 });
    await desktop.tray.choose(/^Notify again/);
    await expect.poll(async () => (await bridge(page, 'read')).paused_until).toBeNull();
    await calls.rule('Told again', 'login');
    await calls.evaluate();
    await expect.poll(titles).toEqual([expect.stringContaining('Told again')]);
  });

  test('the tray says what is open, and follows what becomes of it', async () => {
    for (const { id } of await calls.alerts()) {
      await calls.call('POST', `/alerts/${id}/resolve`, {});
    }
    const tip = () => desktop.tray.tip();
    await expect.poll(tip).toBe('Vedette: no open alerts');
    await calls.rule('First', 'visit', 'critical');
    await calls.rule('Second', 'visit', 'critical');
    await calls.rule('Third', 'visit', 'warning');
    await calls.send('visit');
    await calls.evaluate();
    await expect.poll(tip).toBe('Vedette: 2 critical and 1 warning open');
    expect((await desktop.tray.labels())[0]).toMatch(/2 critical and 1 warning/);
    const open = await calls.call<{ id: string; severity: string }[]>('GET', '/alerts?status=open');
    const critical = open.find(({ severity }) => severity === 'critical');
    await calls.call('POST', `/alerts/${critical?.id}/acknowledge`, {});
    await expect.poll(tip).toBe('Vedette: 1 critical and 1 warning open');
    expect((await desktop.tray.labels())[0]).toMatch(/1 critical and 1 warning/);
  });
});
