import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRetention } from '../../server/events/retention.ts';
import { silentLog } from '../../server/platform/log.ts';
import type { AboutView } from '../../server/settings/schema.ts';
import { KEY, startAppliance } from '../helpers/appliance.ts';
import type { TestAppliance } from '../helpers/appliance.ts';
import { openStore, textOf } from '../helpers/event-store.ts';
import { monitored } from '../helpers/monitored.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { signIn } from '../helpers/tenant.ts';

const DAY = 86_400_000;

const backUp = () => Promise.resolve(true);

describe('retention', () => {
  it('deletes raw events and counts past their age, to the millisecond', async () => {
    let now = Date.UTC(2026, 0, 1);
    await using vedette = await startAppliance({ clock: { now: () => now } });
    await vedette.post([{ source: 'a', event_type: 'old', data: {} }]);
    now += 10 * DAY;
    await vedette.post([{ source: 'a', event_type: 'new', data: {} }]);
    await vedette.post('a mistake');
    await vedette.app.inject({
      method: 'PATCH',
      url: '/api/v1/tenants/me',
      headers: { 'x-api-key': KEY },
      payload: { retention_days: 20, rollup_retention_days: 30 },
    });
    const shown = async (what: string) =>
      (await vedette.get(`/events${what}`)).json<unknown[]>().length;

    now = Date.UTC(2026, 0, 21);
    await vedette.runRetention();
    expect([await shown(''), await shown('/types'), await shown('/rejected')]).toEqual([2, 2, 1]);
    now += 1;
    await vedette.runRetention();
    expect([await shown(''), await shown('/types'), await shown('/rejected')]).toEqual([1, 2, 1]);
    now = Date.UTC(2026, 0, 31) + 1;
    await vedette.runRetention();
    expect([await shown(''), await shown('/types'), await shown('/rejected')]).toEqual([0, 1, 0]);
    now = Date.UTC(2026, 1, 10) + 1;
    await vedette.runRetention();
    expect(await shown('/types')).toBe(0);
  });

  it('gives the space back, and what is left is still there', async () => {
    let now = Date.UTC(2026, 0, 1);
    const { database, flusher, intake, store, dir } = await openStore({ now: () => now });
    const send = (count: number) => {
      // What cannot be compressed, or there is no space to give back.
      const text = randomBytes(count * 90).toString('base64');
      return intake.send(
        Array.from({ length: count }, (_, n) => ({
          ...{ source: 'a', event_type: 'x' },
          data: { n, text: text.slice(n * 120, (n + 1) * 120) },
        })),
      );
    };
    // The database frees whole blocks of 122,880 rows.
    for (let i = 0; i < 13; i++) await send(10_000);
    now += 100 * DAY;
    await send(10);
    await flusher.flush();
    await flusher.checkpoint();
    const size = () => statSync(path.join(dir, 'events.duckdb')).size;
    const before = size();
    const retention = createRetention({
      store,
      database,
      flusher,
      backUp,
      date: { now: () => now },
      log: silentLog,
      kept: () => [{ tenantId: 'tenant', retentionDays: 90, rollupRetentionDays: 400 }],
      holesWorthIt: { share: 0.3, bytes: 1 << 20 },
    });
    await retention.run();
    expect(size()).toBeLessThan(before / 3);
    const left = JSON.parse(
      await textOf(await store.list('tenant', { skip: 0, limit: 100 })),
    ) as unknown[];
    expect(left).toHaveLength(10);
    await send(1);
    await flusher.flush();
    expect(
      JSON.parse(await textOf(await store.list('tenant', { skip: 0, limit: 100 }))),
    ).toHaveLength(11);
  });

  it('runs once a day, however often it is asked', async () => {
    let now = Date.UTC(2026, 0, 1);
    const { database, flusher, store } = await openStore({ now: () => now });
    let runs = 0;
    const retention = createRetention({
      store,
      database,
      flusher,
      backUp,
      date: { now: () => now },
      log: silentLog,
      kept: () => {
        runs++;
        return [];
      },
    });
    for (let hour = 0; hour < 49; hour++) {
      await retention.runDaily();
      now += 3_600_000;
    }
    expect(runs).toBe(3);
  });

  it('that fails is tried again within the hour, and is told of once', async () => {
    let now = Date.UTC(2026, 0, 1);
    const { database, flusher, store } = await openStore({ now: () => now });
    let isFull = true;
    let runs = 0;
    const told: string[] = [];
    const retention = createRetention({
      store,
      database,
      flusher,
      backUp,
      date: { now: () => now },
      log: { ...silentLog, error: (_fields: object, words: string) => told.push(words) },
      kept: () => {
        runs++;
        if (isFull) throw new Error('The disk is full');
        return [];
      },
    });
    for (let hour = 0; hour < 6; hour++) {
      isFull = hour < 3;
      await retention.runDaily();
      now += 3_600_000;
    }
    expect(runs).toBe(4);
    expect(told).toHaveLength(1);
  });
});

describe('retention with a clock that is wrong', () => {
  const START = Date.UTC(2026, 0, 1);
  const shown = async (vedette: TestAppliance) => {
    const { length } = (await vedette.get('/events')).json<unknown[]>();
    return [length, (await vedette.get('/alerts')).json<unknown[]>().length];
  };

  /** With an event and an alert of yesterday, which are kept for 20 days. */
  async function withYesterday() {
    const clock = { time: START, now: () => clock.time };
    const elapsed = () => performance.now();
    const options = { dataDir: tempDir(), clock, elapsed };
    const vedette = await monitored(options);
    await vedette.call('PATCH', '/tenants/me', { retention_days: 20, rollup_retention_days: 20 });
    const { id } = await vedette.rule('threshold', {
      ...{ event_type: 'error', operator: '>=', value: 1, window_minutes: 60, severity: 'info' },
    });
    await vedette.send('error');
    await vedette.evaluate();
    await vedette.call('PATCH', `/rules/${id}`, { is_active: false });
    clock.time += DAY;
    return { vedette, clock, options };
  }

  it('deletes nothing by a date far ahead before somebody has confirmed it', async () => {
    const { vedette: before, clock, options } = await withYesterday();
    clock.time += 100 * DAY;
    await before.runRetention();
    expect(await shown(before)).toEqual([1, 1]);
    await before.close();

    await using vedette = await startAppliance(options);
    await vedette.runRetention();
    expect(await shown(vedette)).toEqual([1, 1]);
    expect(vedette.notices).toEqual([expect.stringContaining('moved ahead by 101 days')]);
    const { ask } = await signIn(vedette);
    const about = async () => (await ask('GET', '/settings/about')).json<AboutView>();
    const to = new Date(clock.time).toISOString();
    expect((await about()).clock_jump).toMatchObject({ to });
    const confirmed = await ask('POST', '/settings/clock/confirm');
    expect(confirmed.json<AboutView>()).toMatchObject({ clock_jump: null });
    await vedette.runRetention();
    expect(await shown(vedette)).toEqual([0, 0]);
  });

  it('deletes nothing by a clock that is a day behind, and asks nothing when it is right again', async () => {
    const { vedette: before, clock, options } = await withYesterday();
    clock.time -= 2 * DAY;
    await before.runRetention();
    await before.close();
    await using vedette = await startAppliance(options);
    await vedette.runRetention();
    clock.time += 2 * DAY;
    await vedette.runRetention();
    expect(await shown(vedette)).toEqual([1, 1]);
    const { ask } = await signIn(vedette);
    const about = (await ask('GET', '/settings/about')).json<AboutView>();
    expect(about.clock_jump).toBeNull();
  });
});
