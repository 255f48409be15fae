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
  it('says since when it listens, and when the last event came', async () => {
    await using vedette = await monitored();
    await vedette.pass(2 * HOUR);
    const view = { listening: true, since: at(START), first_heard: at(START), offline: [] };
    expect(await collector(vedette)).toEqual({ ...view, last_event_at: null });
    await vedette.send('view');
    await vedette.pass(2 * HOUR);
    expect(await collector(vedette)).toEqual({ ...view, last_event_at: at(START + 2 * HOUR) });
  });

  it('knows at once on waking that the machine slept', async () => {
    await using vedette = await monitored();
    await vedette.pass(HOUR);
    vedette.clock.time += HOUR;
    expect(await collector(vedette)).toMatchObject({
      listening: true,
      since: at(START + 2 * HOUR),
      first_heard: at(START),
      offline: [{ from: at(START + HOUR), to: at(START + 2 * HOUR) }],
    });
  });

  it('shows absences within the range alone, and no short ones', async () => {
    const [dataDir, clock] = [tempDir(), { time: START, now: () => clock.time }];
    for (const away of [90 * MINUTE, MINUTE - 1, MINUTE]) {
      await using vedette = await monitored({ dataDir, clock });
      await vedette.pass(10 * MINUTE);
      clock.time += away;
    }
    await using vedette = await monitored({ dataDir, clock });
    const [slept, back] = [START + 10 * MINUTE, START + 100 * MINUTE];
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
    await using vedette = await monitored();
    await vedette.send('view');
    const key = (await freshTenant(vedette)).key;
    const theirs = await vedette.get('/collector', { 'x-api-key': key });
    expect(theirs.json()).toMatchObject({ listening: true, last_event_at: null });
  });

  it('refuses a range that there is not', async () => {
    await using vedette = await monitored();
    expect((await vedette.call('GET', '/collector?time_range=2h')).statusCode).toBe(400);
    expect((await vedette.app.inject('/api/v1/collector')).statusCode).toBe(401);
  });
});
