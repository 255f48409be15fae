import { describe, expect, it } from 'vitest';
import { createIdStems } from '../../server/events/ids.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('id stems', () => {
  it('make UUIDs of version 7 that carry the time', () => {
    const id = `${createIdStems()(NOW)}0000`;
    expect(id).toMatch(UUID);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(NOW);
  });

  it('rise, within a millisecond, beyond its 4,096 places, and when the clock is set back', () => {
    const stems = createIdStems();
    const made = Array.from({ length: 20_000 }, (_, i) => stems(i < 15_000 ? NOW : NOW - 5_000));
    expect(made).toEqual([...made].sort());
    expect(new Set(made).size).toBe(made.length);
    for (const stem of made) expect(`${stem}ffff`).toMatch(UUID);
  });

  it('rise behind the newest that is stored', () => {
    const stem = createIdStems(NOW + 1000)(NOW);
    expect(stem > createIdStems()(NOW + 999)).toBe(true);
  });
});
