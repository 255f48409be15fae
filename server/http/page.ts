import { createHash } from 'node:crypto';

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.375rem; line-height: 1.3; }
`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

/** Nothing may run or be fetched, and nothing is to be kept or passed on. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
};

/** A page to read, for where the dashboard is not. */
export const plainPage = (title: string, ...lines: string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Vedette</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${lines.map((line) => `<p>${escaped(line)}</p>`).join('\n')}
</main>
</body>
</html>
`;

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign);
}

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
