import { expect, it } from 'vitest';
import { browserWords } from '../../server/session/browser-words.ts';

const MOZILLA = 'Mozilla/5.0';
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const WINDOWS = '(Windows NT 10.0; Win64; x64)';

it.each([
  [`${MOZILLA} (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0`, 'Firefox on Linux'],
  [`${MOZILLA} ${WINDOWS} ${WEBKIT} Chrome/126.0 Safari/537.36`, 'Chrome on Windows'],
  [`${MOZILLA} ${WINDOWS} ${WEBKIT} Chrome/126.0 Safari/537.36 Edg/126.0`, 'Edge on Windows'],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/126.0 Electron/31.0 Safari/537.36`,
    'Vedette’s own window on macOS',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${WEBKIT} Version/17.5 Safari/604.1`,
    'Safari on iPhone',
  ],
  ['curl/8.5.0', 'curl'],
  [
    'a-script/1.0 of somebody, with a very long name of its own',
    'a-script/1.0 of somebody, with a very lo',
  ],
  ['', 'An unnamed program'],
])('%s is called by its usual name', (userAgent, words) => {
  expect(browserWords(userAgent)).toBe(words);
});
