import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Alert } from '../../server/alerts/schema.ts';
import type { Evaluation } from '../../server/evaluator/schema.ts';
import type { RuleView } from '../../server/rules/schema.ts';
import type { Delivery } from '../../server/webhooks/schema.ts';
import { rounds } from '../helpers/soak.ts';
import { filledDemo } from './filled.ts';
import type { FilledDemo, Sent } from './filled.ts';

/** The hardest first, which `npm test` looks at; the soak looks at all of them. */
const MOMENTS: [name: string, at: Date][] = [
  ['in the night when the clocks are put back', new Date(2026, 9, 25, 4, 0)],
  ['on a Monday morning', new Date(2026, 10, 16, 9, 30)],
  ['on a Wednesday afternoon', new Date(2026, 10, 18, 15, 10)],
  ['on a Thursday after midnight', new Date(2026, 10, 19, 0, 5)],
  ['on a Saturday before midnight', new Date(2026, 10, 14, 23, 59)],
];

describe.each(MOMENTS.slice(0, rounds(1, MOMENTS.length)))('the demonstration, %s', (_name, at) => {
  const now = at.getTime();
  let demo: FilledDemo;

  beforeAll(async () => void (demo = await filledDemo(now)), 120_000);
  afterAll(() => demo.close());

  const get = <T>(url: string) => demo.get<T>(url);

  describe('its data', () => {
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
        expect.arrayContaining([
          'page_view',
          'add_to_cart',
          'purchase',
          'refund',
          'payment_failed',
        ]),
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

  describe('its house', () => {
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
      const keys =
        await get<{ name: string; scope: string; last_used_at: string | null }[]>('/keys');
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

  describe('its incidents', () => {
    it('purchases lost their ids; resolved with a note', async () => {
      const group = await demo.groupOf('Purchases without a transaction id');
      expect(group).toMatchObject({ status: 'resolved', severity: 'critical' });
      expect(group?.latest.resolve_note).toContain('Version 59 is live');
      expect(group?.count).toBeGreaterThan(10);
      const { from, to } = demo.story.lostIds;
      expect(Date.parse(group?.first_seen ?? '')).toBeGreaterThan(from);
      expect(Date.parse(group?.last_seen ?? '')).toBeLessThan(to + 20 * 60_000);
    });

    it('a tag was doubled; acknowledged, then resolved', async () => {
      const alerts = await demo.get<Alert[]>('/alerts?rule_type=volume&limit=1000');
      const doubled = alerts.filter(({ rule_name: name }) => name.startsWith('Add to cart above'));
      expect(doubled.length).toBeGreaterThan(3);
      expect(doubled.every(({ is_resolved: resolved }) => resolved)).toBe(true);
      expect(doubled.some(({ acknowledge_note: note }) => note?.includes('counts twice'))).toBe(
        true,
      );
    });

    it('purchases by the tag manager have stopped, and nobody has looked yet', async () => {
      const group = await demo.groupOf('Purchases stopped');
      expect(group).toMatchObject({ status: 'open', severity: 'critical', source: 'gtm' });
      expect(group?.latest.message).toBe('Threshold exceeded: 0 < 1 in 60 min window');
      expect(demo.now - Date.parse(group?.last_seen ?? '')).toBeLessThan(20 * 60_000);
      const since = new Date(demo.story.stopped.from).toISOString();
      const sold = await demo.get<Sent[]>(`/events?event_type=purchase&since=${since}`);
      expect(sold.map(({ source }) => source)).toContain('backend');
      expect(sold.map(({ source }) => source)).not.toContain('gtm');
    });

    it('beside them and what was planned, rules are quiet', async () => {
      const planned = [
        ...['Purchases without a transaction id', 'Add to cart above the usual day'],
        ...['Purchases stopped', 'Add to cart without items', 'Payment failures', 'App crashes'],
      ];
      const { stopped } = demo.story;
      const alerts = await demo.get<Alert[]>('/alerts?limit=1000');
      const others = alerts.filter(
        ({ rule_name: name, created_at: time }) =>
          !planned.includes(name) ||
          (name === 'Purchases stopped' && Date.parse(time) < stopped.from),
      );
      expect(others.length).toBeLessThan(6);
      const open = alerts.filter((one) => !one.is_acknowledged && !one.is_resolved);
      expect(new Set(open.map(({ rule_name: name }) => name))).toEqual(
        new Set(['Purchases stopped']),
      );
    });
  });
});
