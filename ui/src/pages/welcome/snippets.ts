/** Pieces of code that send an event, ready to be copied. */
export interface Target {
  address: string;
  key: string;
}

export interface Snippet {
  id: string;
  tab: string;
  /** Where it goes, in a line. */
  note: string;
  pieces: { label: string; text: string }[];
  /** The page that has more of it. */
  page?: { path: string; word: string };
}

const PURCHASE =
  '[{"source":"backend","event_type":"purchase","data":{"order_id":"A-1001","value":49.9}}]';

export function snippets({ address, key }: Target): Snippet[] {
  const events = `${address}/api/v1/events`;
  return [
    {
      id: 'curl',
      tab: 'curl',
      note: 'In a terminal. The answer says how many events were taken.',
      pieces: [{ label: 'curl command', text: curl(events, key) }],
    },
    {
      id: 'browser',
      tab: 'Browser',
      note: 'In a page’s script. The key may only send events, so it can stand in a page.',
      pieces: [{ label: 'browser code', text: browser(events, key) }],
    },
    {
      id: 'node',
      tab: 'Node',
      note: 'In a server’s code, Node 18 or newer; nothing needs to be installed.',
      pieces: [{ label: 'Node code', text: node(events, key) }],
    },
    {
      id: 'python',
      tab: 'Python',
      note: 'In a server’s code, Python 3; nothing needs to be installed.',
      pieces: [{ label: 'Python code', text: python(events, key) }],
    },
    {
      id: 'pixel',
      tab: 'Pixel',
      note: 'An image that carries events in its address, for pages where scripts may not send. The second one needs no script at all.',
      pieces: [
        { label: 'pixel script', text: pixel(events, key) },
        { label: 'pixel image', text: image(events, key) },
      ],
    },
    {
      id: 'tag-manager',
      tab: 'Tag manager',
      note: 'Google Tag Manager needs no code: Vedette has a template for it, which sends every event of your data layer, and makes a key that goes with it.',
      pieces: [],
      page: { path: '/tag-manager/template', word: 'Download the template and import it' },
    },
  ];
}

const inShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
/** A string in JavaScript and in Python, which ends no script element around it. */
const inCode = (text: string) => JSON.stringify(text).replaceAll('<', '\\u003c');
const inHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

const curl = (url: string, key: string) => `curl -X POST ${inShell(url)} \\
  -H ${inShell(`X-API-Key: ${key}`)} \\
  -H 'Content-Type: application/json' \\
  -d ${inShell(PURCHASE)}`;

const browser = (url: string, key: string) => `fetch(${inCode(url)}, {
  method: "POST",
  // Is sent even when the page is being left.
  keepalive: true,
  headers: {
    "Content-Type": "application/json",
    "X-API-Key": ${inCode(key)},
  },
  body: JSON.stringify([
    {
      source: "website",
      event_type: "page_view",
      data: { path: location.pathname },
    },
  ]),
});`;

const node = (url: string, key: string) => `const answer = await fetch(${inCode(url)}, {
  method: "POST",
  headers: {
    "Content-Type": "application/json",
    "X-API-Key": ${inCode(key)},
  },
  body: JSON.stringify([
    {
      source: "backend",
      event_type: "purchase",
      data: { order_id: "A-1001", value: 49.9 },
    },
  ]),
});
if (!answer.ok) console.error(answer.status, await answer.text());`;

const python = (url: string, key: string) => `import json
import urllib.request

events = [
    {
        "source": "backend",
        "event_type": "purchase",
        "data": {"order_id": "A-1001", "value": 49.9},
    }
]
request = urllib.request.Request(
    ${inCode(url)},
    data=json.dumps(events).encode(),
    headers={
        "Content-Type": "application/json",
        "X-API-Key": ${inCode(key)},
    },
)
with urllib.request.urlopen(request) as answer:
    print(answer.status, answer.read().decode())`;

const pixel = (url: string, key: string) => `<script>
  (function () {
    var payload = {
      source: "website",
      events: [
        { type: "page_view", timestamp: Date.now(), data: { path: location.pathname } }
      ]
    };
    new Image().src =
      ${inCode(`${url}/collect?k=${encodeURIComponent(key)}&d=`)} +
      encodeURIComponent(JSON.stringify(payload));
  })();
</script>`;

function image(url: string, key: string): string {
  const payload = { source: 'newsletter', events: [{ type: 'mail_open', data: { issue: '12' } }] };
  const query = `k=${encodeURIComponent(key)}&d=${encodeURIComponent(JSON.stringify(payload))}`;
  return `<img src="${inHtml(`${url}/collect?${query}`)}" width="1" height="1" alt="">`;
}
