import { expect, it } from 'vitest';
import { createRest } from '../../server/platform/rest.ts';

function resting() {
  const seen = { events: 0, asked: 0 };
  const did: string[] = [];
  const noted = (what: string) => () => {
    did.push(what);
    return Promise.resolve();
  };
  const rest = createRest({
    database: { asked: () => seen.asked, giveBack: noted('memory') },
    accepted: () => seen.events,
    checkpoint: noted('checkpoint'),
    shrinkHeap: () => void noted('heap')(),
  });
  return { seen, did, rest };
}

it('memory is given back once nothing arrives and nobody asks', async () => {
  const { seen, did, rest } = resting();
  seen.events = 100;
  await rest();
  expect(did).toEqual([]);
  for (let i = 0; i < 3; i++) await rest();
  expect(did).toEqual(['checkpoint', 'memory', 'heap']);
});

it('memory is given back again after something has happened', async () => {
  const { seen, did, rest } = resting();
  for (let i = 0; i < 2; i++) {
    seen.asked++;
    await rest();
    await rest();
  }
  expect(did).toHaveLength(6);
});

it('memory is kept while events arrive or somebody asks', async () => {
  const { seen, did, rest } = resting();
  for (let i = 0; i < 6; i++) {
    if (i < 3) seen.events++;
    else seen.asked++;
    await rest();
  }
  expect(did).toEqual([]);
});
