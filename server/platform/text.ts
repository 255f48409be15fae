/** A day as people say it, where this machine is: 3 March 2026. */
export function dayOf(at: number): string {
  return new Date(at).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
}

/** A moment as people say it, wherever they are: 3 March 2026, 14:05 UTC. */
export function momentOf(at: number): string {
  const when = new Date(at);
  const [day, time] = [
    when.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' }),
    when.toLocaleTimeString('en-GB', { timeStyle: 'short', timeZone: 'UTC' }),
  ];
  return `${day}, ${time} UTC`;
}

/** A text of so many characters at most, without half of one at its end. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`.toWellFormed();
}
