/**
 * How a text may stand in a payload: as it is, or as JSON writes it, which some senders do with
 * letters outside of ASCII and with slashes too.
 */
export function spellingsOf(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  const plainest = escaped
    .replaceAll('/', '\\/')
    .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [...new Set([text, escaped, plainest])];
}

export interface Searched {
  /** As JSON. */
  event_type: string;
  data: string;
  context: string | null;
}

/** The same search as the store's, over an event in memory. */
export function textMatcher(text: string): (event: Searched) => boolean {
  const spellings = spellingsOf(text.toLowerCase());
  return (event) => {
    const type = JSON.parse(event.event_type) as string;
    return [event.data, type, event.context ?? ''].some((place) => {
      const lower = place.toLowerCase();
      return spellings.some((spelling) => lower.includes(spelling));
    });
  };
}
