import { expect, it } from 'vitest';
import { GOOGLE_QUOTA } from '../../../server/tagmanager/api/pacer.ts';
import type { JobView } from '../../../server/tagmanager/connection/schema.ts';
import { chosenContainer } from './parts.ts';
import type { World } from './parts.ts';

const AMOUNTS = { tags: 192, triggers: 96, variables: 144 };
// The built-in variables are one page.
const PAGE = 12;
const PAGES = (192 + 96 + 144) / PAGE;

/** A clock that stands but for the waits of the pacer, before each of which somebody looks. */
function createPacedTime() {
  const time = { ms: Date.now(), look: async () => {} };
  return {
    time,
    options: {
      clock: { now: () => time.ms },
      tagManagerQuota: GOOGLE_QUOTA,
      tagManagerWait: async (ms: number) => {
        await time.look();
        time.ms += ms;
      },
    },
  };
}

/** What is shown of a snapshot while it waits, and how long it takes by that clock. */
async function watched(world: World, { time }: ReturnType<typeof createPacedTime>) {
  const seen: (JobView & { at: number; othersWait: number })[] = [];
  time.look = async () => {
    const { job, quota } = await world.view();
    if (job) seen.push({ ...job, at: time.ms, othersWait: quota.waiting_seconds });
  };
  const begun = time.ms;
  await world.tell('POST', '/snapshot');
  const view = await world.settled();
  expect(view).toMatchObject({ problem: null, last_failure: null });
  return { seen, took: (time.ms - begun) / 1000, ended: time.ms };
}

it('a container of many pages is read within the quota, and how long it takes is told', async () => {
  const paced = createPacedTime();
  const { time } = paced;
  const world = await chosenContainer({
    amounts: AMOUNTS,
    api: {
      pageSize: PAGE,
      now: () => time.ms,
      quota: { requests: GOOGLE_QUOTA.requests, withinMs: GOOGLE_QUOTA.withinMs },
    },
    options: paced.options,
  });
  const counted = await world.snapshot();
  expect(counted).toMatchObject({
    ...{ tag_count: 192, trigger_count: 96, variable_count: 144, difference_count: 0 },
    // Besides the pages: the workspace, its status, templates, built-in variables, what is live.
    requests: PAGES + 5,
  });

  // Nothing was asked twice, which is what a refusal would have led to.
  const { requests: all } = world.api;
  const paths = all.map(({ path, query }) => `${path} ${query['pageToken'] ?? ''}`);
  expect(new Set(paths).size).toBe(paths.length);
  // The second 25 were begun only, so the next one need not wait.
  expect((await world.view()).quota).toEqual({
    ...{ used_today: paths.length, per_day: 10_000, waiting_seconds: 0 },
  });

  const { seen, took, ended } = await watched(world, paced);
  expect((await world.snapshot())?.requests).toBe(PAGES + 5);
  expect(all).toHaveLength(paths.length + PAGES + 5);
  expect(seen.length).toBeGreaterThan(3);
  // 41 requests after 44 others, 25 in any 100 seconds.
  expect(took).toBeGreaterThanOrEqual(100);
  expect(took).toBeLessThanOrEqual(300);
  for (const job of seen) {
    expect(job).toMatchObject({ kind: 'snapshot', expected: PAGES + 5 });
    expect(job.waiting_seconds).toBeGreaterThan(0);
    expect(job.waiting_seconds).toBeLessThanOrEqual(100);
    expect(job.othersWait).toBe(job.waiting_seconds);
    // It is told to the second, since nothing else asks.
    expect(job.left_seconds).toBe(Math.ceil((ended - job.at) / 1000));
  }
  const requests = seen.map((job) => job.requests);
  expect(requests).toEqual([...requests].sort((a, b) => a - b));
  expect(new Set(seen.map(({ step }) => step)).size).toBeGreaterThan(1);
});
