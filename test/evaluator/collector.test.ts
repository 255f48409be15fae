import { describe, expect, it } from 'vitest';
import type { CollectorView } from '../../server/evaluator/schema.ts';
import { MINUTE, monitored, START } from '../helpers/monitored.ts';
import type { Monitored } from '../helpers/monitored.ts';
import { freshTenant } from '../helpers/tenant.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const HOUR = 60 * MINUTE;
const at = (moment: number) => new Date(moment).toISOString();
const collector = async (vedette: Monitored, query = '') =>
  (await vedette.call('GET', `/collector${query}`)).json<CollectorView>();

describe('GET /api/v1/collector', () => {
  it('says since when it listens, when the last event came, and at once that it slept', async () => {
    await using vedette = await monitored();
    await vedette.pass(2 * MINUTE);
    const view = { listening: true, since: at(START), first_heard: at(START), offline: [] };
    expect(await collector(vedette)).toEqual({ ...view, last_event_at: null });
    await vedette.send('view');
    await vedette.pass(2 * MINUTE);
    const last_event_at = at(START + 2 * MINUTE);
    expect(await collector(vedette)).toEqual({ ...view, last_event_at });
    vedette.clock.time += HOUR;
    const [slept, woke] = [at(START + 4 * MINUTE), at(vedette.clock.time)];
    const after = { since: woke, offline: [{ from: slept, to: woke }] };
    expect(await collector(vedette)).toEqual({ ...view, ...after, last_event_at });
  });

  it('shows absences within the range alone, and no short ones', async () => {
    const [dataDir, clock] = [tempDir(), { time: START, now: () => clock.time }];
    for (const away of [90 * MINUTE, MINUTE - 1, MINUTE]) {
      await using vedette = await monitored({ dataDir, clock });
      await vedette.pass(MINUTE);
      clock.time += away;
    }
    await using vedette = await monitored({ dataDir, clock });
    const [slept, back] = [START + MINUTE, START + 91 * MINUTE];
    const restart = { from: at(clock.time - MINUTE), to: at(clock.time) };
    expect((await collector(vedette)).offline).toEqual([
      { from: at(slept), to: at(back) },
      restart,
    ]);
    await vedette.pass(30 * MINUTE);
    const cut = { from: at(clock.time - HOUR), to: at(back) };
    expect((await collector(vedette, '?time_range=1h')).offline).toEqual([cut, restart]);
    await vedette.pass(29 * MINUTE);
    expect((await collector(vedette, '?time_range=1h')).offline).toEqual([restart]);
  });

  it('tells each tenant of its own last event', async () => {
    const [one, other] = [await freshTenant(), await freshTenant()];
    await one.post([{ source: 'shop', event_type: 'view', data: {} }]);
    const view = (await one.get('/collector')).json<CollectorView>();
    expect(view).toMatchObject({ listening: true, last_event_at: expect.any(String) as string });
    const theirs = (await other.get('/collector')).json<CollectorView>();
    expect(theirs).toMatchObject({ listening: true, last_event_at: null });
  });

  it('refuses a range that there is not', async () => {
    const { app, get } = await freshTenant();
    expect((await get('/collector?time_range=2h')).statusCode).toBe(400);
    expect((await app.inject('/api/v1/collector')).statusCode).toBe(401);
  });
});
