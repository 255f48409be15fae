import { describe, expect, it } from 'vitest';
import { barriers } from '../helpers/axe.ts';
import { savedId, threshold } from './rules-parts.ts';
import { shop } from './standing-parts.ts';

describe('the rule editor', () => {
  it('tries a rule on the past while it is written, and saves it', async () => {
    const vedette = await shop();
    await using window = await vedette.open('/rules/new');
    const { page, faults } = window;
    await page.getByText('Still needed: an event type').first().waitFor();
    await page.getByRole('combobox', { name: 'Event type' }).click();
    await page.getByRole('option', { name: /^purchase/ }).click();
    await page.getByRole('figure').getByText('Would not have fired in 2 h').waitFor();

    await page.getByLabel('Value', { exact: true }).fill('100');
    await page.getByRole('figure').getByText('Would have fired once in 2 h').waitFor();
    await page.getByText('It would have gone on firing').waitFor();
    expect(await barriers(page)).toEqual([]);

    // A wide window zoomed to 200 %.
    await page.setViewportSize({ width: 720, height: 450 });
    // The chart follows a moment later.
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(720);
    await page.setViewportSize({ width: 1280, height: 800 });

    // Nothing to ask about: what was found stays in sight.
    await page.getByLabel('Value', { exact: true }).fill('');
    await page.getByText('Still needed: the value to compare with.').first().waitFor();
    expect(await page.getByRole('figure').count()).toBe(1);

    await page.getByLabel('Value', { exact: true }).fill('1');
    await page.getByLabel('Name').fill('<img src=x onerror=alert(1)>');
    await page.keyboard.press('Control+s');
    const rule = await vedette.one(await savedId(page));
    expect(rule).toMatchObject({
      name: '<img src=x onerror=alert(1)>',
      config: { ...threshold, severity: 'warning' },
    });
    await page.getByRole('heading', { level: 1, name: '<img src=x' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('neither shows what another type found nor asks about what is plainly wrong', async () => {
    const vedette = await shop();
    await using window = await vedette.open('/rules/new?event_type=purchase');
    const { page, faults } = window;
    await page.getByRole('figure').getByText('Would not have fired in 2 h').waitFor();
    await page.getByLabel('Missing fields').check();
    await page.getByText('rule would have done. Still needed: a required field').waitFor();
    expect(await page.getByRole('figure').count()).toBe(0);

    await page.getByRole('radio', { name: 'Threshold' }).check();
    await page.getByLabel('In the last').fill('0');
    await page.getByText('Must be more than 0.').waitFor();
    await page.getByText('Cannot be saved yet').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Not saved. What is marked in red').waitFor();
    // A refusal by the server would be among the faults of the console.
    await page.getByLabel('In the last').fill('2');
    await page.getByText('Not saved yet.').waitFor();
    expect(faults).toEqual([]);
  });

  it('opens what is suggested, ready to be saved', async () => {
    const vedette = await shop();
    await using window = await vedette.open('/rules');
    const { page, faults } = window;
    await page.getByText('No rules yet').waitFor();
    await page.getByRole('link', { name: 'Purchases stopped' }).click();
    // Its window is longer than anybody has listened yet.
    await page.getByRole('figure').getByText('Could not have been judged in 2 h').waitFor();
    await page.getByRole('button', { name: 'Save rule' }).click();
    expect(await vedette.one(await savedId(page))).toMatchObject({
      ...{ name: 'Purchases stopped', rule_type: 'threshold' },
      config: { event_type: 'purchase', operator: '<', value: 1, severity: 'critical' },
    });
    expect(faults).toEqual([]);
  });

  it('saves what it shows, for every type', async () => {
    const vedette = await shop();
    await using window = await vedette.open('/rules/new?event_type=purchase');
    const { page, faults } = window;
    await page.getByLabel('Measure').selectOption('the sum of');
    await page.getByRole('combobox', { name: 'Field' }).fill('value');
    await page.getByLabel('Is', { exact: true }).selectOption('>=');
    await page.getByLabel('Value', { exact: true }).fill('99.5');
    await page.getByLabel('In the last').fill('90');
    await page.getByLabel('Window: unit').selectOption('minutes');
    await page.getByText('Critical').click();
    await page.getByLabel('Checks in a row').fill('2');
    await page.getByRole('combobox', { name: 'Category' }).fill('Revenue');
    await page.getByRole('combobox', { name: 'Tags' }).fill('shop,web,');
    await page.getByRole('switch', { name: 'Active' }).click();
    await page.getByRole('button', { name: 'Save rule' }).click();
    expect(await vedette.one(await savedId(page))).toMatchObject({
      ...{ name: 'purchase: sum of value at least 99.5 in 90 min, 2 times in a row' },
      ...{ rule_type: 'threshold', is_active: false, tags: ['shop', 'web'], category: 'Revenue' },
      config: {
        ...{ event_type: 'purchase', field: 'sum:value', operator: '>=', value: 99.5 },
        ...{ window_minutes: 90, severity: 'critical', consecutive: 2 },
      },
    });

    await page.goto('/rules/new?event_type=purchase&fields=value');
    const fields = page.getByRole('combobox', { name: 'Required fields' });
    await fields.click();
    await page.getByRole('option', { name: 'currency 100% filled' }).click();
    await page.getByRole('button', { name: 'Remove field currency' }).waitFor();
    await expect.poll(() => fields.inputValue()).toBe('');
    await fields.fill('coupon,');
    await page.getByText('Not seen in any recent event: coupon').waitFor();
    await page.getByRole('button', { name: 'Save rule' }).click();
    expect(await vedette.one(await savedId(page))).toMatchObject({
      rule_type: 'missing_field',
      config: { event_type: 'purchase', required_fields: ['value', 'currency', 'coupon'] },
    });

    await page.goto('/rules/new?event_type=purchase');
    await page.getByLabel('Change of volume').check();
    await page.getByText('Rise', { exact: true }).click();
    await page.getByLabel('By at least').fill('80');
    await page.getByLabel('The hours right before').check();
    await page.getByLabel('Averaged over the last', { exact: true }).fill('36');
    await page.getByLabel('Averaged over the last: unit').selectOption('hours');
    await page.getByRole('switch', { name: 'Only beyond chance' }).click();
    await page.getByRole('button', { name: 'Save rule' }).click();
    expect(await vedette.one(await savedId(page))).toMatchObject({
      rule_type: 'volume',
      config: {
        ...{ threshold_percent: 80, current_window_minutes: 60, comparison_window_hours: 36 },
        ...{ min_baseline_events: 10, baseline: 'average', beyond_chance: false },
      },
    });
    expect(faults).toEqual([]);
  });

  it('takes a field as it is typed or chosen, whatever others are called', async () => {
    const vedette = await shop();
    await vedette.send('lead', 1, { value: 1, value_net: 1, 'a, b': 1 });
    await using window = await vedette.open('/rules/new?rule_type=missing_field&event_type=lead');
    const { page, faults } = window;
    const fields = page.getByRole('combobox', { name: 'Required fields' });
    const remove = (name: string) => page.getByRole('button', { name: `Remove field ${name}` });
    await fields.pressSequentially('value_net');
    await page.getByRole('option').waitFor();
    expect(await remove('').count()).toBe(0);
    await fields.press('Enter');
    await remove('value_net').waitFor();
    await fields.fill('a');
    await page.getByRole('option', { name: /^a, b/ }).click();
    await remove('a, b').waitFor();
    await expect.poll(() => fields.inputValue()).toBe('');
    // Typed as a whole, then chosen as well.
    await fields.pressSequentially('value');
    await page.getByRole('option', { name: /^value / }).click();
    await remove('value').last().waitFor();
    await fields.fill('x, y');
    await fields.blur();
    await page.getByRole('button', { name: 'Save rule' }).click();
    expect(await vedette.one(await savedId(page))).toMatchObject({
      config: { required_fields: ['value_net', 'a, b', 'value', 'x', 'y'] },
    });
    expect(faults).toEqual([]);
  });

  it('shows what is wrong at its field, whoever finds it', async () => {
    const vedette = await shop();
    await using window = await vedette.open('/rules/new?event_type=purchase');
    const { page } = window;
    const field = page.getByLabel('In the last');
    await field.fill('40');
    await page.getByLabel('Window: unit').selectOption('days');
    await page.getByText('Must be at most 30 days.').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('button', { name: 'Save rule' }).click();
    await page.getByText('Not saved.').waitFor();
    await field.fill('2');
    await expect.poll(() => page.getByText('Must be at most').count()).toBe(0);
    expect(await page.getByText('Not saved.').count()).toBe(0);

    const type = page.getByRole('combobox', { name: 'Event type' });
    await type.fill('x'.repeat(1001));
    await page.getByText('Must have at most 1000 characters.').waitFor();
    await page.getByRole('button', { name: 'Save rule' }).click();
    await page.getByText('Not saved.').waitFor();

    await type.fill('purchsae');
    await page.getByText('Never seen').waitFor();
    await page.getByText('Nothing to try it on').waitFor();
  });

  it('asks before what is unsaved is left', async () => {
    const vedette = await shop();
    const { id } = await vedette.rule('threshold', threshold, { name: 'Stopped' });
    await using window = await vedette.open(`/rules/${id}`);
    const { page, faults } = window;
    await page.getByLabel('Value', { exact: true }).fill('3');
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(new URL(page.url()).pathname).toBe(`/rules/${id}`);

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('It holds from the next check on').waitFor();
    expect((await vedette.one(id)).config).toMatchObject({ value: 3 });
    await page.getByLabel('Value', { exact: true }).fill('4');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await page.getByText('Paused “Stopped”.').waitFor();
    await page.getByRole('switch', { name: 'Active', checked: false }).waitFor();
    expect(await page.getByLabel('Value', { exact: true }).inputValue()).toBe('4');
    expect(await page.getByText('changed meanwhile').count()).toBe(0);
    await page.getByRole('link', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor();
    expect((await vedette.one(id)).config).toMatchObject({ value: 3 });
    expect(faults).toEqual([]);
  });

  it('keeps what is typed while it is saved, and looks back again when that failed', async () => {
    const vedette = await shop();
    await using window = await vedette.open('/rules/new');
    const { page } = window;
    let isDown = true;
    await page.route('**/api/v1/rules/preview', (route) =>
      isDown ? route.fulfill({ status: 503, json: { detail: 'Busy' } }) : route.continue(),
    );
    await page.getByRole('combobox', { name: 'Event type' }).fill('purchase');
    await page.getByText('It could not be tried on the past').waitFor();
    isDown = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('figure').getByText('Would not have fired in 2 h').waitFor();

    const category = page.getByRole('combobox', { name: 'Category' });
    for (const [text, saved] of [
      ['One', 'POST'],
      ['Two', 'PATCH'],
    ] as const) {
      const gate = Promise.withResolvers<true>();
      const url = saved === 'POST' ? '**/api/v1/rules' : '**/api/v1/rules/*-*';
      const arrives = page.waitForRequest((request) => request.method() === saved);
      await page.route(url, async (route) => {
        if (route.request().method() === saved) await gate.promise;
        await route.continue();
      });
      await page.keyboard.press('Control+s');
      await arrives;
      await category.fill(text);
      gate.resolve(true);
      await page.getByText('Not saved yet').waitFor();
      await page.getByRole('button', { name: 'Save', exact: true, disabled: false }).waitFor();
      expect(await category.inputValue()).toBe(text);
      await page.unroute(url);
    }
    const [rule] = await vedette.rules();
    expect(rule).toMatchObject({ category: 'One' });
  });

  it('overwrites nothing that somebody else changed, and brings back what they deleted', async () => {
    const vedette = await shop();
    const { id } = await vedette.rule('threshold', threshold, { name: 'Stopped' });
    await using window = await vedette.open(`/rules/${id}`);
    const { page } = window;
    await page.getByLabel('Value', { exact: true }).fill('7');
    vedette.clock.time += 1000;
    await vedette.call('PATCH', `/rules/${id}`, { name: 'Theirs' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('This rule was changed meanwhile').waitFor();
    expect((await vedette.one(id)).config).toMatchObject({ value: 1 });
    await page.getByRole('button', { name: 'Take their version' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Theirs');
    expect(await page.getByLabel('Value', { exact: true }).inputValue()).toBe('1');

    await page.getByLabel('Value', { exact: true }).fill('8');
    vedette.clock.time += 1000;
    await vedette.call('PATCH', `/rules/${id}`, { category: 'Theirs too' });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await page.getByRole('switch', { name: 'Active', checked: false }).waitFor();
    await page.getByText('This rule was changed meanwhile').waitFor();
    await page.getByRole('button', { name: 'Take their version' }).click();

    await page.getByLabel('Value', { exact: true }).fill('7');
    await vedette.call('DELETE', `/rules/${id}`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('This rule was deleted meanwhile').waitFor();
    await page.getByRole('button', { name: 'Save as a new rule' }).click();
    await expect.poll(async () => (await vedette.rules()).length).toBe(1);
    expect((await vedette.rules())[0]).toMatchObject({ name: 'Theirs', config: { value: 7 } });
  });
});
