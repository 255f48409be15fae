import type { Definition, Kind } from '../api/schema.ts';
import { textIn } from './read.ts';

/** What an object of that kind and id is called; for a template also by its id in the gallery. */
export type Names = (kind: Kind, id: string) => string | undefined;

const TAGS: Record<string, string> = {
  gaawe: 'GA4 event',
  gaawc: 'GA4 configuration',
  googtag: 'Google tag',
  html: 'Custom HTML',
  img: 'Custom image',
  ua: 'Universal Analytics',
  awct: 'Google Ads conversion',
  awcc: 'Google Ads calls from website',
  awud: 'Google Ads user-provided data',
  awj: 'Google Ads user-provided data event',
  sp: 'Google Ads remarketing',
  gclidw: 'Conversion linker',
  flc: 'Floodlight counter',
  fls: 'Floodlight sales',
  opt: 'Google Optimize',
  cegg: 'Crazy Egg',
  hjtc: 'Hotjar',
  pntr: 'Pinterest',
  twitter_website_tag: 'X (Twitter) base code',
  bzi: 'LinkedIn Insight',
  baut: 'Microsoft Advertising',
  crto: 'Criteo OneTag',
  qcm: 'Quantcast',
  tc: 'TradeDoubler conversion',
  vei: 'VE Interactive',
  zone: 'Zone',
  sgtmgaaw: 'GA4 (server)',
  sgtmadsct: 'Google Ads conversion (server)',
  sgtmadsremarket: 'Google Ads remarketing (server)',
  sgtmadscl: 'Conversion linker (server)',
};

const TRIGGERS: Record<string, string> = {
  pageview: 'Page view',
  domReady: 'DOM ready',
  windowLoaded: 'Window loaded',
  customEvent: 'Custom event',
  click: 'Click on any element',
  linkClick: 'Click on a link',
  formSubmission: 'Form submission',
  timer: 'Timer',
  scrollDepth: 'Scroll depth',
  elementVisibility: 'Element visibility',
  youTubeVideo: 'YouTube video',
  historyChange: 'History change',
  jsError: 'JavaScript error',
  triggerGroup: 'Trigger group',
  init: 'Initialization',
  consentInit: 'Consent initialization',
  serverPageview: 'Page view (server)',
  always: 'Always',
  firebaseAppException: 'App exception',
  firebaseAppUpdate: 'App update',
  firebaseCampaign: 'App campaign',
  firebaseFirstOpen: 'App first opened',
  firebaseInAppPurchase: 'In-app purchase',
  firebaseNotificationReceive: 'Notification received',
  firebaseNotificationOpen: 'Notification opened',
  firebaseSessionStart: 'App session started',
  ampClick: 'Click (AMP)',
  ampTimer: 'Timer (AMP)',
  ampScroll: 'Scroll (AMP)',
  ampVisibility: 'Visibility (AMP)',
};

const VARIABLES: Record<string, string> = {
  v: 'Data layer variable',
  jsm: 'Custom JavaScript',
  j: 'JavaScript variable',
  k: 'First-party cookie',
  c: 'Constant',
  u: 'URL',
  f: 'HTTP referrer',
  e: 'Custom event',
  d: 'DOM element',
  vis: 'Element visibility',
  aev: 'Auto-event variable',
  smm: 'Lookup table',
  remm: 'RegEx table',
  r: 'Random number',
  ctv: 'Container version number',
  cid: 'Container ID',
  dbg: 'Debug mode',
  ev: 'Environment name',
  gas: 'Google Analytics settings',
  gtes: 'Google tag: event settings',
  gtcs: 'Google tag: configuration settings',
  awec: 'User-provided data',
  uv: 'Undefined value',
  ed: 'Event data',
  rh: 'Request header',
  rp: 'Request path',
  qp: 'Query parameter',
};

const WORDS: Record<Kind, Record<string, string>> = {
  tag: TAGS,
  trigger: TRIGGERS,
  variable: VARIABLES,
  template: {},
};

/** In words; a type that nobody here knows is shown as it is. */
export function typeNameOf(kind: Kind, object: Definition, names: Names): string {
  if (kind === 'template') {
    return object['galleryReference'] ? 'Template from the gallery' : 'Custom template';
  }
  const type = textIn(object, 'type');
  const words = WORDS[kind];
  if (Object.hasOwn(words, type)) return words[type] ?? type;
  return (kind === 'trigger' ? undefined : templateName(type, names)) ?? type;
}

/** Of one made here the type has container and template, of one from the gallery its id there. */
function templateName(type: string, names: Names): string | undefined {
  const [, id] = /^cvt_(?:\d+_)?(\w+)$/.exec(type) ?? [];
  return id === undefined ? undefined : names('template', id);
}
