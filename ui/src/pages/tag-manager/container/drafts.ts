/** What was typed and not proposed, for when the dialog is opened again. */
const drafts = new Map<string, string>();
const MOST = 20;

export const draftOf = (key: string): string | undefined => drafts.get(key);

export function keepDraft(key: string, text: string | undefined): void {
  drafts.delete(key);
  if (text === undefined) return;
  drafts.set(key, text);
  const [oldest] = drafts.keys();
  if (drafts.size > MOST && oldest !== undefined) drafts.delete(oldest);
}
