import { describe, expect, it } from 'vitest';
import { tempDir } from '../helpers/temp-dir.ts';
import { createAttribution } from './detection/attribution.ts';
import { at, HOUR, MINUTE, QUARTER, wall } from './detection/calendar.ts';
import { isOutage, planIncidents } from './detection/incidents.ts';
import { playMonth, setUpRules } from './detection/play.ts';
import { RULES } from './detection/rules.ts';
import { createTraffic } from './detection/traffic.ts';

const traffic = createTraffic(7);
const incidents = planIncidents(7, traffic);
const DAY = 24 * HOUR;

function incident(name: string) {
  const found = incidents.find((one) => one.name === name);
  if (!found) throw new Error(`There is no ${name}`);
  return found;
}

describe('the month that is played', () => {
  it('goes by the wall clock, also behind the change of daylight saving', () => {
    expect(wall(at(24, 9, 5))).toMatchObject({ date: '10-25', time: '09:05', weekday: 0 });
    expect(at(25) - at(24)).toBe(25 * HOUR);
  });

  it('brings the same events whenever a minute is asked for', () => {
    const [noon, later] = [at(3, 12), at(3, 12, 1)];
    const first = traffic.of(noon);
    traffic.of(later);
    expect(traffic.of(noon)).toEqual(first);
    expect(createTraffic(8).of(noon)).not.toEqual(first);
  });

  it('has a few page views a minute and a few purchases an hour', () => {
    const events = Array.from({ length: 1440 }, (_, i) => traffic.of(at(3) + i * MINUTE)).flat();
    const of = (type: string) => events.filter((event) => event.event_type === type).length;
    expect(of('page_view')).toBeGreaterThan(6000);
    expect(of('page_view')).toBeLessThan(11_000);
    expect(of('purchase')).toBeGreaterThan(70);
    expect(of('purchase')).toBeLessThan(200);
  });

  it('expects of incidents only what rules are there for', () => {
    const names = RULES.map(({ name }) => name);
    for (const { expected } of incidents)
      expect(names).toEqual(expect.arrayContaining([...expected]));
  });

  it('has a cycle in each quarter that the program is there for', async () => {
    const dir = tempDir();
    const span = { from: at(1, 6), to: at(1, 14, 30) };
    await setUpRules(dir, span.from);
    const { cycles, alerts } = await playMonth(dir, span, traffic, incidents.filter(isOutage));
    // Up to the stop at 06:52, then late for the quarters after that and before 13:49, then on time.
    const quarters = [15, 30, 45, 60, 465, 480, 495, 510].map(
      (minutes) => span.from + minutes * MINUTE,
    );
    expect(cycles.reverse()).toEqual(quarters);
    expect(alerts).toEqual([]);
  });
});

describe('why an alert was made', () => {
  const alert = (rule: string, moment: number) => ({ rule, at: moment, message: '' });
  const doubled = incident('doubled tag');
  const during = alert('Page views rise', doubled.from + 4 * QUARTER);
  const weekLater = alert('Page views rise', during.at + 7 * DAY);

  it('is chance when it would have been made without any incident', () => {
    const runs = { withoutOutages: [during], withoutIncidents: [during] };
    expect(createAttribution(runs, incidents)(during)).toMatchObject({ why: 'chance' });
  });

  it('is the outage when it would not have been made without it', () => {
    const runs = { withoutOutages: [], withoutIncidents: [] };
    expect(createAttribution(runs, incidents)(during)).toMatchObject({ why: 'outage' });
  });

  it('is an incident that goes on, or one whose events a baseline still has', () => {
    const runs = { withoutOutages: [during, weekLater], withoutIncidents: [] };
    const attributed = createAttribution(runs, incidents);
    expect(attributed(during)).toMatchObject({ why: 'caught', incident: doubled });
    expect(attributed(weekLater)).toMatchObject({ why: 'afterglow', incident: doubled });
  });
});
