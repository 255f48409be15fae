/** Numbers and times as people read them. Everything shown goes through here. */

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const exact = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const brief = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** 12,480 */
export const count = (value: number): string => whole.format(value);
/** 12,480.5: for what was measured, which need not be whole. */
export const measured = (value: number): string => exact.format(value);
/** 1,240, 39.5, 4.25: for what is expected, with the digits that the messages of alerts have. */
export function roughly(value: number): string {
  const size = Math.abs(value);
  const digits = size < 10 ? 2 : size < 100 ? 1 : 0;
  return exact.format(Number(value.toFixed(digits)));
}
/** 12.5K: for axes and narrow places. */
export const short = (value: number): string => brief.format(value);
/** 1 event, 2 events */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** a, b and c */
export function listed(words: readonly string[], last = 'and'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`;
}

/** What nobody sees, or what turns the text around it: controls, zero widths, directions. */
const UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]|^\s+$/gu;
/** Emoji are put together by some of them, and some scripts need them to be written at all. */
const NEEDED =
  /(?<=[\p{ExtPict}\p{EMod}\ufe0f])\u200d(?=\p{ExtPict})|(?<=\p{ExtPict})[\ufe0e\ufe0f]|(?<=[\d#*])\ufe0f(?=\u20e3)|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}])[\u200c\u200d]/gu;

/** Strangers' text as it really is: a name that looks like another one, or like none, does not. */
export function visible(text: string, kept = ''): string {
  if (text.search(UNSEEN) < 0) return text;
  const needed = new Set(Array.from(text.matchAll(NEEDED), ({ index }) => index));
  return text.replace(UNSEEN, (found, at: number) =>
    needed.has(at)
      ? found
      : Array.from(found, (char) => (kept.includes(char) ? char : code(char))).join(''),
  );
}

/** ‹U+200B› */
function code(char: string): string {
  const number = char.codePointAt(0) ?? 0;
  return `‹U+${number.toString(16).toUpperCase().padStart(4, '0')}›`;
}

export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let step = 0;
  let rest = value;
  while (rest >= 1000 && step < units.length - 1) {
    rest /= 1000;
    step += 1;
  }
  return `${step === 0 || rest >= 100 ? whole.format(rest) : rest.toFixed(1)} ${units[step] ?? ''}`;
}

const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const second = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short' });
const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const full = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** 14:05 */
export const clock = (at: number): string => time.format(at);
/** 14:05:09 */
export const clockSeconds = (at: number): string => second.format(at);
/** Fri 20 Nov */
export const day = (at: number): string => `${weekday.format(at)} ${dayMonth.format(at)}`;
/** 20 Nov 2026 */
export const date = (at: number): string => full.format(at);
/** Friday */
export const weekdayName = (at: number): string =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'long' }).format(at);

/** As short as it can be and still clear: 14:05, yesterday 14:05, Fri 13 Nov 14:05, 3 Mar 2025. */
export function moment(at: number, now = Date.now(), timeOf = clock): string {
  const days = daysBetween(at, now);
  if (days === 0) return timeOf(at);
  if (days === 1) return `yesterday ${timeOf(at)}`;
  if (days === -1) return `tomorrow ${timeOf(at)}`;
  if (Math.abs(days) < 300) return `${day(at)} ${timeOf(at)}`;
  return `${full.format(at)} ${timeOf(at)}`;
}

/** 18:00 and 19:00, Fri 13 Nov 18:00 and 19:00, yesterday 18:00 and today 09:30 */
export function between(from: number, to: number, now = Date.now()): string {
  if (daysBetween(from, to) === 0) return `${moment(from, now)} and ${clock(to)}`;
  const isToday = daysBetween(to, now) === 0;
  return `${moment(from, now)} and ${isToday ? 'today ' : ''}${moment(to, now)}`;
}

/** 2026-11-20 13:05:09 UTC */
export const utc = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** just now, 4 min ago, 3 h ago, 12 days ago */
export function ago(at: number, now = Date.now()): string {
  const seconds = Math.round((now - at) / 1000);
  // Clocks differ a little, and the page's own moves in steps.
  if (seconds < -45) return `in ${duration(at - now)}`;
  return seconds < 45 ? 'just now' : `${duration(now - at)} ago`;
}

/** 42 min, 3 h, 12 days: one unit, rounded. */
export function duration(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 1) return `${Math.max(1, Math.round(milliseconds / 1000))} s`;
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  if (hours < 48) return `${hours} h`;
  return `${Math.round(hours / 24)} days`;
}

/** 15 min, 1 h, 36 h, 7 days: a window as a rule has it, never rounded. */
export function minutes(value: number): string {
  if (value >= 1440 && value % 1440 === 0) return plural(value / 1440, 'day');
  if (value >= 60 && value % 60 === 0) return `${value / 60} h`;
  return `${measured(value)} min`;
}

function daysBetween(at: number, now: number): number {
  const start = (moment: number) => new Date(moment).setHours(0, 0, 0, 0);
  return Math.round((start(now) - start(at)) / 86_400_000);
}
