/** Put before the words of an error by Electron, and by JavaScript itself. */
const AROUND = /^(?:Error invoking remote method '[^']*': )?(?:\w*Error: )?/;

/** What the shell said when something went wrong, as one sentence. */
export function bridgeWords(error: unknown): string {
  const message = error instanceof Error ? error.message : typeof error === 'string' ? error : '';
  const words = message.replace(AROUND, '').trim();
  if (words === '') return 'It did not work, and the program did not say why.';
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}
