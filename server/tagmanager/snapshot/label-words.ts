/** Keys of parameters whose words are not the key itself, spelt out. */
const LABELS: Record<string, string> = {
  html: 'HTML',
  javascript: 'Code',
  supportDocumentWrite: 'Supports document.write',
  measurementId: 'Measurement ID',
  measurementIdOverride: 'Measurement ID',
  tagId: 'Tag ID',
  trackingId: 'Tracking ID',
  conversionId: 'Conversion ID',
  eventSettingsTable: 'Event parameters',
  eventSettingsVariable: 'Event settings',
  eventParameters: 'Event parameters',
  configSettingsTable: 'Configuration parameters',
  configSettingsVariable: 'Configuration settings',
  fieldsToSet: 'Fields to set',
  sendEcommerceData: 'Sends e-commerce data',
  getEcommerceDataFrom: 'E-commerce data from',
  cacheBusterQueryParam: 'Parameter against caching',
  useCacheBuster: 'Avoids caching',
  dataLayerVersion: 'Version of the data layer',
  setDefaultValue: 'Has a default value',
  decodeCookie: 'Decodes the cookie',
  component: 'Part of the URL',
  queryKey: 'Query key',
  stripWww: 'Without www.',
  map: 'Table',
  input: 'Input',
  triggerIds: 'Triggers of the group',
  checkValidation: 'Checks validation',
  waitForTags: 'Waits for tags',
  waitForTagsTimeout: 'Waits for tags at most (ms)',
  interval: 'Interval (ms)',
  intervalSeconds: 'Interval (s)',
  maxTimerLengthSeconds: 'Timer ends after (s)',
  varType: 'Attribute of the event',
  elementId: 'Element ID',
  elementSelector: 'CSS selector',
  selectorType: 'Chosen by',
  onScreenRatio: 'Part on the screen (%)',
  apiKey: 'API key',
};

/** For what the same key means something else in each type of variable. */
const BY_TYPE: Record<string, Record<string, string>> = {
  v: { name: 'Data layer variable' },
  j: { name: 'JavaScript variable' },
  k: { name: 'Cookie' },
  c: { value: 'Value' },
  gaawe: { eventName: 'Event name' },
  img: { url: 'Image URL' },
};

export function labelOf(key: string, type = ''): string {
  return own(BY_TYPE[type], key) ?? own(LABELS, key) ?? spelt(key);
}

function own(words: Record<string, string> | undefined, key: string): string | undefined {
  return words && Object.hasOwn(words, key) ? words[key] : undefined;
}

const SHORT = /\b(id|ids|url|html|css|api|uri|js)\b/gi;

/** 'conversionCookiePrefix' → 'Conversion cookie prefix' */
function spelt(key: string): string {
  const words = key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(SHORT, (word) =>
      word.endsWith('s') && word !== 'css' && word !== 'js'
        ? `${word.slice(0, -1).toUpperCase()}s`
        : word.toUpperCase(),
    );
  return words === '' ? key : words.charAt(0).toUpperCase() + words.slice(1);
}
