import { describe, expect, it } from 'vitest';
import { startAppliance } from '../helpers/appliance.ts';
import { listOf, pixelOf, waitsBeside } from '../helpers/neighbour.ts';
import { freshTenant } from '../helpers/tenant.ts';

const MIB = 1 << 20;

describe('while one tenant does what it should not, another', () => {
  it('sends on beside large bodies that the database cannot take in as fast', async () => {
    await using vedette = await startAppliance({ journalBounds: { softBytes: 16 * MIB } });
    const [greedy, neighbour] = [await freshTenant(vedette), await freshTenant(vedette)];
    const body = `[{"source":"a","event_type":"b","data":{"x":"${'x'.repeat(4 * MIB)}"}}]`;
    const statuses: number[] = [];
    const sendOn = async () => {
      for (let n = 0; n < 2; n++) statuses.push((await greedy.post(body)).statusCode);
    };
    const { calm, attacked } = await waitsBeside(pixelOf(neighbour), () =>
      Promise.all(Array.from({ length: 3 }, sendOn)),
    );
    expect(new Set(statuses)).toEqual(new Set([201]));
    expect(attacked.refused).toEqual([]);
    expect(attacked.worst).toBeLessThan(calm.worst + 1000);
  });

  it('reads on beside requests that are refused all the time', async () => {
    await using vedette = await startAppliance();
    const [broken, neighbour] = [await freshTenant(vedette), await freshTenant(vedette)];
    const body = '[{"source":"a","event_type":"b","data":{"\\ud800":{"\\ud800":1}}}]';
    let refused = 0;
    const { calm, attacked } = await waitsBeside(listOf(neighbour), async () => {
      for (; refused < 40; refused++) {
        expect((await broken.post(body)).statusCode).toBe(422);
        await new Promise((done) => setTimeout(done, 25));
      }
    });
    expect(attacked.refused).toEqual([]);
    expect(attacked.median).toBeLessThan(calm.median + 300);
    expect(vedette.notices).toEqual([]);
    expect((await broken.get('/events/rejected?limit=100')).json()).toHaveLength(refused);
  });
});
