import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Evaluation } from '../../server/evaluator/schema.ts';
import type { RuleView } from '../../server/rules/schema.ts';
import type { Delivery } from '../../server/webhooks/schema.ts';
import { filledDemo } from './filled.ts';
import type { FilledDemo, Sent } from './filled.ts';

/** A Wednesday, whatever day it is today. */
const now = new Date(2026, 10, 18, 15, 10).getTime();
let demo: FilledDemo;

beforeAll(async () => void (demo = await filledDemo(now)), 120_000);
afterAll(() => demo.close());

const get = <T>(url: string) => demo.get<T>(url);

describe('the data of the demonstration', () => {
  it('ends within the present minute and begins thirty days before', async () => {
    const [newest] = await get<Sent[]>('/events?limit=1');
    expect(now - Date.parse(newest?.created_at ?? '')).toBeLessThan(60_000);
    const until = new Date(demo.story.start + 86_400_000).toISOString();
    expect(await get<Sent[]>(`/events?until=${until}&limit=1`)).toHaveLength(1);
  });

  it('has several sources, and types that a shop would have', async () => {
    expect((await get<string[]>('/events/sources')).sort()).toEqual(
      ['app', 'backend', 'gtm', 'newsletter'], // prettier-ignore
    );
    expect(await get<string[]>('/events/types')).toEqual(
      expect.arrayContaining(['page_view', 'add_to_cart', 'purchase', 'refund', 'payment_failed']),
    );
  });

  it('has about as many events as were asked for', async () => {
    const points = await get<{ count: number }[]>('/events/activity?time_range=30d');
    const sum = points.reduce((all, { count }) => all + count, 0);
    expect(sum).toBeGreaterThan(19_000);
    expect(sum).toBeLessThan(26_000);
  });

  it('says of a pixel which container sent it', async () => {
    const [view] = await get<Sent[]>('/events?event_type=page_view&source=gtm&limit=1');
    expect(view?.context).toMatchObject({ source_id: 'GTM-NR7D4QX' });
    expect(view?.context?.metadata.container_version).toBe('62');
  });

  it('tells an order by pixel and by the backend with the same id', async () => {
    const until = new Date(demo.story.stopped.from).toISOString();
    const list = (source: string, limit: number) =>
      get<Sent[]>(`/events?event_type=purchase&source=${source}&until=${until}&limit=${limit}`);
    const [, pixel] = await list('gtm', 2);
    const ids = (await list('backend', 50)).map(({ data }) => data.ecommerce?.transaction_id);
    expect(pixel?.data.ecommerce?.items?.length).toBeGreaterThan(0);
    expect(ids).toContain(pixel?.data.ecommerce?.transaction_id);
  });

  it('has what senders got wrong, with reasons', async () => {
    const refused = await get<{ detail: string; endpoint: string }[]>('/events/rejected');
    expect(refused.length).toBeGreaterThan(5);
    expect(refused.map(({ detail }) => detail)).toContain('[0].event_type: is required');
  });
});

describe('the house of the demonstration', () => {
  it('has a cycle for each quarter of an hour, but for when nobody listened', async () => {
    const pages = [0, 1000, 2000].map((skip) =>
      get<Evaluation[]>(`/evaluations?limit=1000&skip=${skip}`),
    );
    const cycles = (await Promise.all(pages)).flat();
    expect(cycles.length).toBeGreaterThan(2_860);
    expect(cycles.length).toBeLessThan(2_890);
    const week = cycles.slice(0, 7 * 96);
    const unjudged = week.filter(({ skipped }) =>
      skipped.some(({ rule_name: name }) => name === 'Add to cart above the usual day'),
    );
    expect(unjudged.length).toBeLessThan(week.length / 2);
    expect(cycles.flatMap(({ skipped }) => skipped.map(({ reason }) => reason))).toContainEqual(
      expect.stringContaining('collector was offline'),
    );
  });

  it('has rules of all types, one of them paused, older than what they found', async () => {
    const rules = await get<RuleView[]>('/rules');
    expect(new Set(rules.map(({ rule_type: type }) => type)).size).toBe(3);
    expect(rules.filter(({ is_active: active }) => !active)).toHaveLength(1);
    for (const { created_at: time, is_active: active, last_verdict: verdict } of rules) {
      expect(Date.parse(time)).toBeLessThan(now - 14 * 86_400_000);
      if (active) expect(verdict).not.toBeNull();
    }
  });

  it('has two tenants and three keys, all used lately', async () => {
    const settings = readFileSync(path.join(demo.dir, 'settings.json'), 'utf8');
    const { tenants } = JSON.parse(settings) as { tenants: { name: string }[] };
    expect(tenants.map(({ name }) => name)).toEqual(['Nordlicht Outdoor', 'Nordlicht B2B']);
    const keys = await get<{ name: string; scope: string; last_used_at: string | null }[]>('/keys');
    expect(keys.map(({ scope }) => scope)).toEqual(['full', 'ingest', 'read']);
    expect(keys.every(({ last_used_at: used }) => used !== null)).toBe(true);
  });

  it('has deliveries that arrived, one that failed, and some that were tried again', async () => {
    const deliveries = await get<Delivery[]>('/webhooks/deliveries');
    const counted = (wanted: Partial<Delivery>) =>
      deliveries.filter((one) =>
        Object.entries(wanted).every(([key, value]) => one[key as keyof Delivery] === value),
      ).length;
    expect(counted({ status: 'delivered', attempts: 1 })).toBeGreaterThan(5);
    expect(counted({ status: 'delivered', attempts: 2 })).toBeGreaterThan(0);
    expect(counted({ status: 'failed', type: 'test' })).toBe(1);
    expect(counted({ status: 'pending' })).toBe(0);
  });
});
