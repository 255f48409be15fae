/** Puts a text on the clipboard; says whether that was allowed. */
export async function clip(text: string): Promise<boolean> {
  try {
    if (window.isSecureContext)
      await navigator.clipboard.writeText(text).catch(() => clipByHand(text));
    else clipByHand(text);
    return true;
  } catch {
    return false;
  }
}

/** Plain http on the LAN has no clipboard, and the desktop window asks for no permission. */
function clipByHand(text: string): void {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('refused');
}
