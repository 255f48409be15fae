import { describe, expect, it } from 'vitest';
import { faultCodes } from '../../server/tagmanager/connection/schema.ts';
import { faults } from '../../server/tagmanager/fault-words.ts';

const makers = Object.values(faults);

describe('the words of a fault', () => {
  it('are there for every code, once', () => {
    expect(makers.map((make) => make().code).sort()).toEqual([...faultCodes].sort());
  });

  it.each(Object.entries(faults))('are whole sentences: %s', (_, make) => {
    const { message, next } = make();
    for (const words of [message, next]) expect(words).toMatch(/^[A-Z].*\.$/);
    expect(make('so it is').message).toMatch(/: so it is\.$/);
    expect(make('Ended already. ').message).toMatch(/: Ended already\.$/);
  });

  it('carry how long to wait, and say what they say to the dashboard', () => {
    const fault = faults.quota('', 40);
    expect(fault.waitSeconds).toBe(40);
    expect(fault.view(0)).toMatchObject({ code: 'quota', at: '1970-01-01T00:00:00.000Z' });
  });
});
