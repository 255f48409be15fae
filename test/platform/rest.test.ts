import { expect, it, vi } from 'vitest';
import { createRest } from '../../server/platform/rest.ts';

function resting() {
  const seen = { events: 0, asked: 0 };
  const checkpoint = vi.fn(() => Promise.resolve());
  const giveBack = vi.fn(() => Promise.resolve());
  const database = { asked: () => seen.asked, giveBack };
  const rest = createRest({ database, accepted: () => seen.events, checkpoint });
  return { seen, rest, checkpoint, giveBack };
}

it('memory is given back once nothing arrives and nobody reads', async () => {
  const { seen, rest, checkpoint, giveBack } = resting();
  seen.events = 100;
  await rest();
  expect(giveBack).not.toHaveBeenCalled();
  await rest();
  expect(checkpoint).toHaveBeenCalledBefore(giveBack);
});

it('memory is kept while events arrive or somebody reads', async () => {
  const { seen, rest, checkpoint, giveBack } = resting();
  for (let i = 0; i < 3; i++) {
    seen.events++;
    await rest();
  }
  for (let i = 0; i < 3; i++) {
    seen.asked++;
    await rest();
  }
  expect(checkpoint).not.toHaveBeenCalled();
  expect(giveBack).not.toHaveBeenCalled();
});
