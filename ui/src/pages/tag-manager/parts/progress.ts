import type { JobView } from '$server/tagmanager/connection/schema.ts';
import { count, plural } from '../../../lib/words.ts';

/** 40 s, 2 min 5 s: how long it still takes changes by the second. */
export function seconds(value: number): string {
  const whole = Math.max(0, Math.round(value));
  if (whole < 60) return `${whole} s`;
  const rest = whole % 60;
  return `${Math.floor(whole / 60)} min${rest > 0 ? ` ${rest} s` : ''}`;
}

/** How far a job is, in words: what was asked, what it waits for, how long it will take. */
export function progressWords(job: JobView): string {
  const { requests, expected, waiting_seconds, left_seconds } = job;
  const parts = [
    expected === null
      ? plural(requests, 'request')
      : `${count(requests)} of about ${plural(Math.max(expected, requests), 'request')}`,
  ];
  if (waiting_seconds > 0) {
    parts.push(`waits ${seconds(waiting_seconds)} for the quota of the tag manager`);
  }
  if (left_seconds !== null && left_seconds > 0) parts.push(`about ${seconds(left_seconds)} left`);
  return parts.join(' · ');
}
