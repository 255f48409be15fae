import { wall } from './calendar.ts';
import { createAttribution, episodesOf, keyOf, keysOf } from './attribution.ts';
import type { Attributed } from './attribution.ts';
import { isOutage } from './incidents.ts';
import type { Incident } from './incidents.ts';
import type { Played } from './play.ts';
import { RULES } from './rules.ts';
import type { Raised } from './shop.ts';

export interface Month {
  days: number;
  /** The alerts are those of the backtest, so there is nothing to say of messages. */
  backtest: boolean;
  incidents: readonly Incident[];
  played: Played;
  withoutOutages: readonly Raised[];
  withoutIncidents: readonly Raised[];
}

/** What was found, in words and a table; `ok` is false when something must not be so. */
export function report(month: Month): { text: string; ok: boolean } {
  const { incidents, played, withoutOutages, withoutIncidents } = month;
  const attributed = createAttribution({ withoutOutages, withoutIncidents }, incidents);
  const alerts = played.alerts.map(attributed);
  const shown = incidents.filter((incident) => !isOutage(incident));
  const rows = RULES.map(({ name }) => rowOf(name, alerts, month, shown));
  const headings = [
    'rule',
    ...shown.map(({ name }) => name),
    ...['afterglow', 'outage', 'false', 'control', 'judged', 'skipped'],
  ];

  const faults = shown.filter(({ kind }) => kind === 'fault');
  const caught = faults.filter((fault) => first(alerts, fault) !== undefined);
  const reported = shown.filter((one) => one.kind === 'sale' && first(alerts, one) !== undefined);
  const outage = alerts.filter(({ why }) => why === 'outage');
  const chance = alerts.filter(({ why }) => why === 'chance');
  const verdict = [
    `caught ${caught.length} of ${faults.length} faults`,
    ...(shown.length > faults.length
      ? [`the sale ${reported.length > 0 ? '' : 'not '}reported`]
      : []),
    `false alarms ${chance.length} (${episodesOf(chance)} times)`,
    `from the collector's own outage ${outage.length}`,
  ];
  const text = [
    table([headings, ...rows]),
    '',
    controlText(month),
    ...(month.backtest
      ? []
      : [pushesText(played.pushes.map(attributed), month.days), backtestText(month)]),
    ...outage.map(({ rule, at, message }) => `From an outage: ${timeOf(at)} ${rule}: ${message}`),
    '',
    verdict.join(', '),
  ];
  const ok = outage.length === 0 && caught.length === faults.length;
  return { text: text.join('\n'), ok };
}

function rowOf(name: string, alerts: readonly Attributed[], month: Month, shown: Incident[]) {
  const { cycles, skipped } = month.played;
  const own = alerts.filter(({ rule }) => rule === name);
  const control = month.withoutIncidents.filter(({ rule }) => rule === name);
  const notJudged = skipped.get(name) ?? 0;
  const of = (why: Attributed['why']) => own.filter((alert) => alert.why === why);
  return [
    name,
    ...shown.map((incident) => cell(incident, name, first(own, incident))),
    counted(of('afterglow')),
    counted(of('outage')),
    counted(of('chance')),
    counted(control),
    String(cycles.length - notJudged),
    String(notJudged),
  ];
}

/** The first alert about an incident; each rule has its own. */
const first = (alerts: readonly Attributed[], incident: Incident) =>
  alerts.find((alert) => alert.why === 'caught' && alert.incident === incident);

function cell({ from, expected }: Incident, rule: string, alert: Raised | undefined): string {
  if (alert) return `${Math.round((alert.at - from) / 60_000)} min`;
  return expected.includes(rule) ? 'missed' : '–';
}

/** `12 in 3`: so many alerts, which came in so many pieces. */
const counted = (alerts: readonly Raised[]) =>
  alerts.length === 0 ? '' : `${alerts.length} in ${episodesOf(alerts)}`;

function pushesText(pushes: readonly Attributed[], days: number): string {
  const of = (why: Attributed['why']) => pushes.filter((push) => push.why === why).length;
  return (
    `Webhook: ${pushes.length} messages, ${(pushes.length / days).toFixed(1)} a day: ` +
    `${of('caught')} about incidents, ${of('afterglow')} about their afterglow, ` +
    `${of('outage')} from an outage, ${of('chance')} false`
  );
}

/** The outage also takes away: what cannot be judged is silent. */
function controlText({ withoutOutages, withoutIncidents, played, days }: Month): string {
  const judged = new Set(played.cycles);
  const there = keysOf(played.alerts);
  const silenced = withoutOutages.filter(
    (alert) => judged.has(alert.at) && !there.has(keyOf(alert)),
  );
  return (
    `Control, the same ${days} days without incidents: ${withoutIncidents.length} alerts ` +
    `(${episodesOf(withoutIncidents)} times). Silenced by the outages: ${silenced.length} alerts`
  );
}

/** The program's own backtest of the month must say what its cycles said. */
function backtestText({ played }: Month): string {
  const judged = new Set(played.cycles);
  const [live, back] = [keysOf(played.alerts), keysOf(played.playedBack)];
  const more = played.playedBack.filter((alert) => judged.has(alert.at) && !live.has(keyOf(alert)));
  const fewer = played.alerts.filter((alert) => !back.has(keyOf(alert)));
  return `Backtest of the same month: ${more.length} alerts that no cycle made, ${fewer.length} of the cycles not in it`;
}

function timeOf(moment: number): string {
  const { date, time } = wall(moment);
  return `${date} ${time}`;
}

function table(lines: readonly (readonly string[])[]): string {
  const [headings = [], ...rows] = lines;
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(headings), rule, ...rows.map(line)].join('\n');
}
