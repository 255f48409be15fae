import { describe, expect, it } from 'vitest';
import { MINUTE, monitored, monitoredTenant, START } from '../helpers/monitored.ts';
import type { Watched } from '../helpers/monitored.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { signIn } from '../helpers/tenant.ts';
import { setWebhook } from '../helpers/webhook.ts';
import { openReceiver } from '../webhooks/receiver.ts';

const MANY = {
  event_type: 'error',
  operator: '>=',
  value: 1,
  window_minutes: 600,
  severity: 'critical',
};
/** Nobody listens there, so what is sent stays to be seen. */
const NOWHERE = 'http://127.0.0.1:9/';

async function pushed(vedette: Watched): Promise<number> {
  return (await vedette.call('GET', '/webhooks/deliveries')).json<unknown[]>().length;
}

/** A tenant with a webhook, and an event that makes a rule fire. */
async function withWebhook(webhook: object = {}) {
  const vedette = await monitoredTenant();
  await setWebhook(vedette.owner, { url: NOWHERE, ...webhook });
  await vedette.send('error');
  return {
    ...vedette,
    async [Symbol.asyncDispose]() {
      await vedette.call('PATCH', '/tenants/me', { webhook: null });
      await vedette[Symbol.asyncDispose]();
    },
  };
}

it('a cycle does not wait for a receiver that hangs', async () => {
  const receiver = await openReceiver('hang');
  await using vedette = await withWebhook({ url: receiver.url, repeat_after_minutes: 0 });
  await vedette.rule('threshold', MANY);
  // More than may be under way at once; each would hang for a quarter of a minute.
  for (let n = 0; n < 6; n++) expect((await vedette.evaluate()).alerts).toBe(1);
  await receiver.arrived(1);
});

describe('a rule that keeps firing', () => {
  it('is pushed once, then again after the repeat interval', async () => {
    await using vedette = await withWebhook({ repeat_after_minutes: 30 });
    await vedette.rule('threshold', MANY);
    const counts = [];
    for (let quarter = 0; quarter < 5; quarter++) {
      await vedette.nextQuarter();
      counts.push(await pushed(vedette));
    }
    expect(counts).toEqual([1, 1, 2, 2, 3]);
    expect(await vedette.alerts()).toHaveLength(5);
  });

  it('is pushed every time when the interval is 0', async () => {
    await using vedette = await withWebhook({ repeat_after_minutes: 0 });
    await vedette.rule('threshold', MANY);
    for (let n = 0; n < 3; n++) await vedette.evaluate();
    expect(await pushed(vedette)).toBe(3);
  });

  it('is pushed at once when it was quiet in between', async () => {
    await using vedette = await withWebhook();
    await vedette.rule('threshold', { ...MANY, window_minutes: 10 });
    await vedette.evaluate();
    vedette.clock.time += 11 * MINUTE;
    expect((await vedette.evaluate()).fired).toBe(0);
    await vedette.send('error');
    await vedette.evaluate();
    expect(await pushed(vedette)).toBe(2);
  });

  it('is pushed at once to a webhook that was set up anew or switched on again', async () => {
    await using vedette = await withWebhook();
    await vedette.rule('threshold', MANY);
    const counts = [];
    for (const webhook of [
      {},
      { url: 'http://127.0.0.1:9/new' },
      { enabled: false },
      { enabled: true },
    ]) {
      await setWebhook(vedette.owner, webhook);
      await vedette.evaluate();
      counts.push(await pushed(vedette));
    }
    expect(counts).toEqual([1, 2, 2, 3]);
  });

  it('is pushed to a webhook that was set up just before a restart', async () => {
    const dataDir = tempDir();
    const clock = { time: START, now: () => clock.time };
    {
      await using vedette = await monitored({ dataDir, clock });
      const owner = await signIn(vedette);
      await vedette.send('error');
      await vedette.rule('threshold', MANY);
      for (const url of [NOWHERE, 'http://127.0.0.1:9/new']) {
        await setWebhook(owner, { url });
        if (url === NOWHERE) await vedette.evaluate();
      }
    }
    await using vedette = await monitored({ dataDir, clock });
    await vedette.evaluate();
    expect(await pushed(vedette)).toBe(2);
    await vedette.evaluate();
    expect(await pushed(vedette)).toBe(2);
  });

  it('is pushed for its severity only', async () => {
    await using vedette = await withWebhook({ severities: ['warning'] });
    await vedette.rule('threshold', MANY);
    await vedette.evaluate();
    expect(await pushed(vedette)).toBe(0);
    expect(await vedette.alerts()).toHaveLength(1);
  });
});
