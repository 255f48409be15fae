import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Alert } from '../../server/alerts/schema.ts';
import { filledDemo } from './filled.ts';
import type { FilledDemo, Sent } from './filled.ts';

const MOMENTS: [name: string, at: Date][] = [
  ['on a Monday morning', new Date(2026, 10, 16, 9, 30)],
  ['on a Thursday after midnight', new Date(2026, 10, 19, 0, 5)],
  ['on a Saturday before midnight', new Date(2026, 10, 14, 23, 59)],
  ['in the night when the clocks are put back', new Date(2026, 9, 25, 4, 0)],
];

describe.each(MOMENTS)('the incidents of the demonstration, %s', (_name, at) => {
  let demo: FilledDemo;

  beforeAll(async () => void (demo = await filledDemo(at.getTime())), 120_000);
  afterAll(() => demo.close());

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
    expect(doubled.some(({ acknowledge_note: note }) => note?.includes('counts twice'))).toBe(true);
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
