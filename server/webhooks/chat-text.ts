/** How one character is written so that the chat shows it and does nothing else with it. */
export type Escape = (char: string) => string;

const SLACK: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Mentions and links of Slack begin with `<`; these three are all that it wants escaped. */
export const escapeSlack: Escape = (char) => SLACK[char] ?? char;

/** Markdown, emoji, links and mentions; a backslash takes away the meaning of any of these. */
export const escapeDiscord: Escape = (char) => {
  // A mention is looked for before backslashes are.
  if (char === '@') return '@\u200b';
  return /[\\*_~`|<>#\-+[\]():]/.test(char) ? `\\${char}` : char;
};

/** Two braces begin a function of Teams; nothing else in a text run does anything. */
export function escapeTeams(text: string): string {
  return text.replace(/\{(?=\{)/g, '{\u200b');
}

export const asItIs: Escape = (char) => char;

/** At most `limit` UTF-16 units, and never half of a character or of what stands for it. */
export function fitted(text: string, limit: number, escape: Escape): string {
  let fits = '';
  let short = '';
  for (const char of text) {
    const piece = escape(char);
    if (fits.length + piece.length > limit) return `${short}…`;
    fits += piece;
    if (fits.length < limit) short = fits;
  }
  return fits;
}

/** Without what no chat can show; empty when there is nothing to see. */
export function readable(text: string): string {
  const clean = text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ')
    .trim();
  return /[^\p{C}\p{Z}]/u.test(clean) ? clean : '';
}
