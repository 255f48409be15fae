import { describe, expect, it } from 'vitest';
import type { Evaluation } from '../../server/evaluator/schema.ts';
import type { RuleView } from '../../server/rules/schema.ts';
import { startAppliance } from '../helpers/appliance.ts';
import { freshTenant } from '../helpers/tenant.ts';
import { MINUTE, monitored, monitoredTenant, QUARTER, START } from '../helpers/monitored.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const TOO_MANY = {
  event_type: 'error',
  operator: '>',
  value: 2,
  window_minutes: 15,
  severity: 'critical',
};

describe('a cycle on time', () => {
  it('runs once for each quarter of an hour, for windows that end at the quarter', async () => {
    await using vedette = await monitoredTenant();
    await vedette.rule('threshold', TOO_MANY);
    vedette.clock.time = vedette.start + QUARTER - 1;
    await vedette.send('error', 3);
    vedette.clock.time = vedette.start + QUARTER;
    await vedette.send('error', 1);
    await vedette.wake();
    expect(await vedette.evaluations()).toEqual([]);

    vedette.clock.time = vedette.start + QUARTER + 1000;
    await vedette.wake();
    await vedette.wake();
    expect(await vedette.evaluations()).toMatchObject([
      {
        trigger: 'schedule',
        evaluated_at: new Date(vedette.start + QUARTER).toISOString(),
        ...{ rules: 1, fired: 1, alerts: 1, skipped: [] },
      },
    ]);
    expect(await vedette.alerts()).toMatchObject([
      { message: 'Threshold exceeded: 3 > 2 in 15 min window', severity: 'critical', value: 3 },
    ]);
  });

  it('leaves a record where no rule is active, and of several such the newest alone', async () => {
    await using vedette = await monitoredTenant();
    const nothing = { rules: 0, fired: 0, alerts: 0, skipped: [] };
    const idle = (quarters: number) => ({
      ...{ trigger: 'schedule', ...nothing },
      evaluated_at: new Date(vedette.start + quarters * QUARTER).toISOString(),
    });
    for (let quarter = 0; quarter < 3; quarter++) await vedette.nextQuarter();
    expect(await vedette.evaluations()).toMatchObject([idle(3)]);

    const { id } = await vedette.rule('threshold', TOO_MANY);
    await vedette.nextQuarter();
    expect(await vedette.evaluations()).toMatchObject([{ rules: 1 }, idle(3)]);
    await vedette.call('PATCH', `/rules/${id}`, { is_active: false });
    await vedette.nextQuarter();
    expect(await vedette.evaluations()).toMatchObject([idle(5), { rules: 1 }]);
    expect(await vedette.evaluate()).toMatchObject({ trigger: 'manual', ...nothing });
    expect(await vedette.evaluations()).toHaveLength(3);
  });

  it('leaves out rules that are paused, and takes them in again', async () => {
    await using vedette = await monitoredTenant();
    const { id } = await vedette.rule('threshold', TOO_MANY);
    await vedette.send('error', 3);
    await vedette.call('PATCH', `/rules/${id}`, { is_active: false });
    expect(await vedette.evaluate()).toMatchObject({ rules: 0, fired: 0 });
    await vedette.call('PATCH', `/rules/${id}`, { is_active: true });
    expect(await vedette.evaluate()).toMatchObject({ rules: 1, fired: 1 });
  });

  it('shows on the rule when it was judged and what came of it', async () => {
    await using vedette = await monitoredTenant();
    const { id } = await vedette.rule('threshold', TOO_MANY);
    const shown = async () => (await vedette.call('GET', `/rules/${id}`)).json<RuleView>();
    expect(await shown()).toMatchObject({ last_evaluated_at: null, last_verdict: null });
    await vedette.send('error', 1);
    await vedette.nextQuarter();
    expect(await shown()).toMatchObject({
      last_evaluated_at: new Date(vedette.start + QUARTER).toISOString(),
      last_verdict: { state: 'quiet', value: 1 },
    });
    await vedette.call('PATCH', `/rules/${id}`, { config: { ...TOO_MANY, value: 5 } });
    expect(await shown()).toMatchObject({ last_evaluated_at: null, last_verdict: null });
  });
});

describe('a missed cycle', () => {
  it('runs at once after the machine slept, the first and the last of several', async () => {
    await using vedette = await monitoredTenant();
    await vedette.rule('threshold', TOO_MANY);
    await vedette.nextQuarter();
    await vedette.pass(5 * MINUTE);
    await vedette.send('error', 3);
    vedette.clock.time += 5 * 60 * MINUTE;
    await vedette.wake();
    const times = [5 * 60 * MINUTE + QUARTER, 2 * QUARTER].map((since) => ({
      trigger: 'late',
      evaluated_at: new Date(vedette.start + since).toISOString(),
    }));
    expect(await vedette.evaluations()).toMatchObject([...times, { trigger: 'schedule' }]);
    // What came just before the sleep is in no window but that of the first.
    expect(await vedette.alerts()).toHaveLength(1);
  });

  it('is run once, also when the one after it fails', async () => {
    let judged = 0;
    let failing = Infinity;
    const faults = (name: string) => {
      if (name === 'cycle-judged' && ++judged === failing) throw new Error('a fault');
    };
    await using vedette = await monitored({ faults });
    await vedette.rule('threshold', { ...TOO_MANY, window_minutes: 600, consecutive: 3 });
    await vedette.send('error', 3);
    failing = judged + 2;
    vedette.clock.time += 5 * 60 * MINUTE + 1000;
    for (let tick = 0; tick < 3; tick++) await vedette.wake();
    expect(judged).toBe(failing + 1);
    const times = [5 * 60 * MINUTE, QUARTER].map((since) => ({
      evaluated_at: new Date(vedette.start + since).toISOString(),
    }));
    expect(await vedette.evaluations()).toMatchObject(times.map((time) => ({ ...time, fired: 1 })));
    // Two cycles in a row, and it takes three.
    expect(await vedette.alerts()).toEqual([]);
  });

  it('runs at once at the next start, which goes on counting cycles in a row', async () => {
    const dataDir = tempDir();
    const clock = { time: START, now: () => clock.time };
    {
      await using vedette = await monitored({ dataDir, clock });
      await vedette.rule('threshold', TOO_MANY);
      await vedette.rule('threshold', { ...TOO_MANY, window_minutes: 600, consecutive: 2 });
      await vedette.nextQuarter();
      await vedette.send('error', 3);
      expect(await vedette.evaluate()).toMatchObject({ fired: 2, alerts: 1 });
    }
    clock.time = START + 2 * QUARTER + 3 * MINUTE;
    await using vedette = await startAppliance({ dataDir, clock });
    await vedette.wake();
    const [late] = (await vedette.get('/evaluations')).json<Evaluation[]>();
    expect(late).toMatchObject({ trigger: 'late', fired: 2, alerts: 2 });
  });

  it('runs at once though none ever ran, once there are rules', async () => {
    const dataDir = tempDir();
    const clock = { time: START + 7 * MINUTE, now: () => clock.time };
    {
      await using vedette = await monitored({ dataDir, clock });
      await vedette.rule('threshold', TOO_MANY);
      await vedette.send('error', 3);
    }
    clock.time = START + QUARTER + 26_000;
    await using again = await startAppliance({ dataDir, clock });
    await again.wake();
    const made = {
      trigger: 'late',
      fired: 1,
      evaluated_at: new Date(START + QUARTER).toISOString(),
    };
    expect((await again.get('/evaluations')).json()).toMatchObject([made]);
  });

  it('is none on the very first start, nor when the last one is not yet a quarter ago', async () => {
    const dataDir = tempDir();
    const clock = { time: START + 7 * MINUTE, now: () => clock.time };
    {
      await using vedette = await monitored({ dataDir, clock });
      await vedette.wake();
      await vedette.rule('threshold', TOO_MANY);
      expect(await vedette.evaluations()).toEqual([]);
      clock.time = START + QUARTER + 1000;
      await vedette.wake();
    }
    clock.time += MINUTE;
    await using again = await startAppliance({ dataDir, clock });
    await again.wake();
    expect((await again.get('/evaluations')).json()).toHaveLength(1);
  });
});

describe('a clock that was years ahead', () => {
  it('does not hold up the cycles once it is set right', async () => {
    const dataDir = tempDir();
    const clock = { time: START + 400 * 24 * 60 * MINUTE, now: () => clock.time };
    {
      await using vedette = await monitored({ dataDir, clock });
      await vedette.rule('threshold', TOO_MANY);
      await vedette.nextQuarter();
    }
    clock.time = START;
    await using vedette = await monitored({ dataDir, clock });
    await vedette.wake();
    await vedette.nextQuarter();
    const times = (await vedette.evaluations()).map(({ evaluated_at }) => evaluated_at);
    expect(times).toContain(new Date(START + QUARTER).toISOString());
  });
});

describe('a cycle that is asked for', () => {
  it('sees everything that was received before it', async () => {
    await using vedette = await monitoredTenant();
    await vedette.rule('threshold', { ...TOO_MANY, window_minutes: 0.001 });
    await vedette.send('error', 3);
    expect(await vedette.evaluate()).toMatchObject({ trigger: 'manual', alerts: 1 });
  });

  it('makes an alert each time that the rule fires', async () => {
    await using vedette = await monitoredTenant();
    const rule = await vedette.rule('threshold', TOO_MANY, { tags: ['shop'], category: 'errors' });
    await vedette.send('error', 3);
    await vedette.evaluate();
    await vedette.evaluate();
    const alerts = await vedette.alerts();
    expect(alerts).toHaveLength(2);
    expect(alerts[0]).toMatchObject({
      ...{ rule_id: rule.id, rule_name: rule.name, rule_type: 'threshold', event_type: 'error' },
      ...{ tags: ['shop'], category: 'errors', is_resolved: false, is_acknowledged: false },
    });
  });

  it('concerns the rules of its own tenant only, and needs a key that may change things', async () => {
    await using vedette = await monitoredTenant();
    await vedette.rule('threshold', TOO_MANY);
    const stranger = (await freshTenant(vedette)).key;
    const made = await vedette.call('POST', '/keys', { name: 'reader', scope: 'read' });
    await vedette.send('error', 3);
    const ask = (key: string) =>
      vedette.app.inject({
        method: 'POST',
        url: '/api/v1/evaluations',
        headers: { 'x-api-key': key },
      });
    expect((await ask(stranger)).json()).toMatchObject({ rules: 0, alerts: 0 });
    expect((await ask(made.json<{ secret: string }>().secret)).statusCode).toBe(403);
    expect(await vedette.alerts()).toEqual([]);
    expect(await vedette.evaluations()).toEqual([]);
  });

  it('refuses a body that asks for something else', async () => {
    await using vedette = await monitoredTenant();
    const answer = await vedette.call('POST', '/evaluations', { at: 'noon' });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ errors: [{ path: 'at', message: 'is not known here' }] });
  });
});

describe('rules that need several cycles in a row', () => {
  it('make an alert only then, and from then on in each', async () => {
    await using vedette = await monitoredTenant();
    await vedette.rule('threshold', { ...TOO_MANY, window_minutes: 600, consecutive: 3 });
    await vedette.send('error', 3);
    const alerts = [];
    for (let n = 0; n < 4; n++) alerts.push((await vedette.evaluate()).alerts);
    expect(alerts).toEqual([0, 0, 1, 1]);
  });

  it('begin anew when what is judged was changed, and not for a new name', async () => {
    await using vedette = await monitoredTenant();
    const config = { ...TOO_MANY, window_minutes: 600, consecutive: 2 };
    const { id } = await vedette.rule('threshold', config);
    await vedette.send('error', 3);
    await vedette.evaluate();
    vedette.clock.time += 1;
    await vedette.call('PATCH', `/rules/${id}`, { config: { ...config, value: 1 } });
    expect((await vedette.evaluate()).alerts).toBe(0);
    await vedette.call('PATCH', `/rules/${id}`, { name: 'Another name' });
    expect((await vedette.evaluate()).alerts).toBe(1);
  });
});

describe('a rule on missing fields', () => {
  it('looks at everything since its last cycle, so that a late one passes nothing over', async () => {
    await using vedette = await monitoredTenant();
    const config = { event_type: 'purchase', required_fields: ['value'], severity: 'warning' };
    await vedette.rule('missing_field', config);
    await vedette.nextQuarter();
    await vedette.send('purchase', 2);
    vedette.clock.time += 3 * 60 * MINUTE;
    await vedette.send('purchase', 2, { value: 1 });
    await vedette.wake();
    expect(await vedette.alerts()).toMatchObject([
      { message: 'Missing fields: value in 2 of 2 purchase events in the last 15 min' },
    ]);
  });
});
