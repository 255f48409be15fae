import type { Protocol } from 'electron';

/** The program's own pages, for while there is no appliance to show. They hold no script at all. */
export const STARTING = 'vedette://starting/';
export const FAILURE = 'vedette://failure/';
const STYLE = 'vedette://style/';

export interface Failure {
  title: string;
  what: string;
  advice: string;
  /** What can be done about it, each a link `vedette://do/<name>`; the first is the usual one. */
  actions: readonly { name: string; label: string }[];
  /** The data directory, which stays as it is; nothing where there may be none. */
  where: string | null;
}

export const isOwnPage = (url: string): boolean => url === STARTING || url === FAILURE;

/** Before the program is ready, or Chromium takes such addresses for somebody else's. */
export function announcePages(protocol: Pick<Protocol, 'registerSchemesAsPrivileged'>): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'vedette', privileges: { standard: true, secure: true } },
  ]);
}

export function servePages(
  protocol: Pick<Protocol, 'handle'>,
  failure: () => Failure | undefined,
): void {
  protocol.handle('vedette', ({ url }) => {
    if (url === STYLE) return answer(style, 'text/css');
    if (url === STARTING) return answer(starting());
    const found = failure();
    if (url === FAILURE && found) return answer(failed(found));
    return new Response('Not found', { status: 404, headers: { 'content-type': 'text/plain' } });
  });
}

function answer(body: string, type = 'text/html'): Response {
  return new Response(body, {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': `default-src 'none'; style-src vedette:; base-uri 'none'; form-action 'none'`,
      'x-content-type-options': 'nosniff',
    },
  });
}

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(title)}</title><link rel="stylesheet" href="${STYLE}"></head>
<body><main>${mark}${body}</main></body>
</html>`;

const starting = () =>
  page(
    'Vedette is starting',
    `<h1>Vedette is starting</h1>
<p>After a crash or a power cut this can take a moment: what was accepted is being put in its place.</p>
<div class="wait" role="progressbar" aria-label="Starting"></div>`,
  );

const failed = ({ title, what, advice, actions, where }: Failure) =>
  page(
    title,
    `<h1>${escaped(title)}</h1>
<p class="what">${escaped(what)}</p>
<p>${escaped(advice)}</p>
<nav>${actions.map(({ name, label }) => `<a href="vedette://do/${name}">${escaped(label)}</a>`).join('\n')}</nav>
${where === null ? '' : `<p class="where">Your data stays as it is, in <code>${escaped(where)}</code></p>`}`,
  );

const mark = `<svg viewBox="0 0 32 32" width="44" height="44" aria-hidden="true">
<rect width="32" height="32" rx="7" fill="#14525c"/>
<path d="M10 6v21" stroke="#f3ead7" stroke-width="2.5" stroke-linecap="round"/>
<path d="M11.5 7.5h14l-4.5 4.5 4.5 4.5h-14z" fill="#f0b64a"/></svg>`;

/** In the colours of ui/src/styles/tokens.css. */
const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(oklch(0.985 0.003 85), oklch(0.185 0.008 235));
  --ink: light-dark(oklch(0.24 0.012 240), oklch(0.935 0.006 85));
  --soft: light-dark(oklch(0.45 0.012 240), oklch(0.77 0.01 85));
  --accent: light-dark(oklch(0.47 0.085 205), oklch(0.79 0.085 200));
  --on-accent: light-dark(oklch(0.99 0.005 205), oklch(0.2 0.02 205));
  --line: light-dark(oklch(0.66 0.01 85), oklch(0.53 0.013 235));
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 14px/1.55 system-ui, sans-serif; }
main { max-width: 560px; margin: 16vh auto 0; padding: 0 24px; text-wrap: pretty; }
h1 { margin: 20px 0 12px; font-size: 28px; font-weight: 600; line-height: 1.2; }
p { margin: 0 0 12px; color: var(--soft); overflow-wrap: anywhere; }
.what { color: var(--ink); font-size: 18px; }
nav { display: flex; flex-wrap: wrap; gap: 8px; margin: 24px 0; }
a { padding: 7px 14px; border: 1px solid var(--line); border-radius: 6px; color: var(--ink); text-decoration: none; }
a:first-child { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.where { font-size: 12px; }
code { font: 12px ui-monospace, 'DejaVu Sans Mono', monospace; }
.wait { height: 2px; margin-top: 24px; overflow: hidden; background: var(--line); }
.wait::before { content: ''; display: block; width: 30%; height: 100%; background: var(--accent); animation: wait 1.6s ease-in-out infinite alternate; }
@keyframes wait { to { margin-left: 70%; } }
@media (prefers-reduced-motion: reduce) { .wait::before { width: 100%; animation: none; } }
`;

function escaped(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (one) => names[one] ?? one);
}
